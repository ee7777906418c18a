#!/usr/bin/env bash
# Solvers against reference solutions: one experiment, a series with its curves, tolerances, errors.
source "$(dirname -- "$0")/cli.sh"

# number KEY: the value of a key in the printed JSON object.
number() {
    python3 -c 'import json, sys; print(json.load(open("printed"))[sys.argv[1]])' "$1"
}

# near KEY LOW HIGH: the number is between them.
near() {
    python3 - "$@" <<'END' || failed "$1 is $(number "$1"), wanted $2 to $3"
import json, sys
value = json.load(open("printed"))[sys.argv[1]]
sys.exit(not float(sys.argv[2]) <= value <= float(sys.argv[3]))
END
}

expect 0 validate sim cantilever --solver der --gamma 10 --segments 64 --substeps 10 --json
near H_over_W 1.0455 1.0882
near max_stretch 0 1e-4
near gamma 10 10
expect 0 validate sim helix --turns 3 --segments 48 --json
near z_over_L 0.2348 0.2492
expect 0 validate sim chain --json
near omega_rad_s 8.34 8.50
expect 0 validate sim catenary --l-over-span 2 --json
near sag 0.792 0.801
expect 0 validate sim drag --c-per-s 1 --t-s 0.5 --json
near v_m_s 3.82 3.90
expect 0 validate sim drag --v-terminal 1 --t-s 0.25 --json
near v_m_s 0.975 0.995
expect 0 validate sim incline --mu 0.5 --incline-deg 20 --json
near accel_m_s2 -1e-3 1e-3
expect 0 validate sim incline --mu 0.1 --incline-deg 30 --solver pbd --json
near accel_m_s2 3.85 4.26
expect 0 validate sim capstan --mu 0 --json
near tension_ratio_at_slip 0.95 1.06
expect 0 validate sim stick_slip --mu 0.2 --json
near mu_required 0.19 0.21
expect 0 validate sim pendulum --theta0-deg 90
prints T_over_T0

# One series and its curves: a dense reference, results on it, a shape per result.
expect 0 validate sim wind --curves curves.json --solver der
prints "fdrag_over_weight 0.5"
says "tolerances kept"
python3 - <<'END' || failed "curves.json: $(head -c 300 curves.json)"
import json
series, = json.load(open("curves.json"))
assert (series["series"], series["quantity"]) == ("wind", "fdrag_over_weight")
assert series["result"] == "tip_x_over_L" and series["tolerance"] == 0.01
x, y = series["reference"]["x"], series["reference"]["y"]
assert len(x) == len(y) > 100 and x == sorted(x)
solver, = series["solvers"]
assert solver["solver"] == "der" and len(solver["results"]) == 5
for result in solver["results"]:
    at, value = result["point"]
    near = min(range(len(x)), key=lambda i: abs(x[i] - at))
    assert abs(y[near] - value) < 0.02, (at, value, y[near])
    # The tip of the shape is the result itself.
    assert abs(abs(result["shape"]["x"][-1]) - value) < 1e-3, result["shape"]["x"][-1]
END
expect 0 validate sim cantilever --curves curves.json --solver der
python3 - <<'END' || failed "the shape of the cantilever is not that of the elastica"
import json
for series in json.load(open("curves.json")):
    for result in series["solvers"][0]["results"]:
        shape, exact = result["shape"], result.get("reference_shape")
        assert (exact is not None) == (series["series"] == "cantilever")
        if exact is not None:
            assert abs(shape["x"][-1] - exact["x"][-1]) < 0.02
            assert abs(shape["y"][-1] - exact["y"][-1]) < 0.02
END
expect 3 validate sim wind --curves nowhere/curves.json --solver der
expect 0 validate sim wind --curves curves.json --solver der --json
python3 -c 'import json; assert all(row["within_tolerance"] for row in json.load(open("printed")))' ||
    failed "a limit is not kept, or it is no JSON"

# All solvers side by side, errors and costs.
expect 0 validate sim wind --table
for word in '`der`' '`pbd`' '`xpbd`' '`ftl`' '`spring`' fdrag_over_weight 'CPU time of a second'; do
    prints "$word"
done

# An exceeded tolerance has its own exit code.
expect 8 validate sim wind --curves curves.json --solver der --set sim/drag=1
says "tolerances exceeded"

expect 1 validate simm
says "did you mean 'sim'?"
expect 1 validate
says "SUBJECT is missing"
expect 1 validate sim cantilver
says "did you mean 'cantilever'?"
expect 1 validate sim cantilever --mu 1
says "cantilever has no parameter mu"
expect 1 validate sim cantilever --gamma heavy
says "--gamma: 'heavy' is not a number"
expect 1 validate sim cantilever --gamma -1
says "--gamma: -1 is outside"
expect 1 validate sim cantilever --segments 2.5
says "not a whole number"
expect 1 validate sim cantilever --solver steel
says "no solver 'steel'"
expect 1 validate sim --gamma 3
says "is a parameter of one experiment"
expect 2 validate sim cantilever --set sim/yongs_modulus=3
says "did you mean"
expect 1 validate sim cantilever --set grooms/0/count=3

# The hair BSDF against exact values; columns are found by name.
reference=$source_folder/tests/data/reference/hair_bsdf_pbrt.csv
expect 0 validate bsdf "$reference" --json
near rows 200 200
near median_relative_error 0 1e-4
near max_relative_error 0 1e-2
grep -v '^#' "$reference" | head -n 3 | cut -d, -f 2-18 >short.csv
expect 0 validate bsdf short.csv
prints "rows                   2"
prints "max_relative_error"
awk -F, -v OFS=, 'NR > 1 { $15 *= 1.5 } 1' short.csv >wrong.csv
expect 0 validate bsdf wrong.csv --json
near max_relative_error 0.33 0.34

# White furnace: every eighth row of the parameters of pbrt's test, and the corners.
awk '/^#/ || !head++ || ++row % 8 == 0' "$source_folder/tests/data/reference/hair_furnace_pbrt.csv" >white.csv
expect 0 validate bsdf white.csv --json
near rows 24 24
near max_relative_error 0 1e-4
{
    echo beta_m,beta_n,eta,alpha_deg,sin_theta_o,h
    for rough in 0.05,0.05 0.05,1 1,0.05 1,1; do
        printf '%s,1.3,3,-0.99,1\n%s,2,-3,0.7,-0.999\n' "$rough" "$rough"
    done
} >corners.csv
expect 0 validate bsdf corners.csv --json
near rows 8 8
near max_relative_error 0 1e-3
sed '2s/^[^,]*/2/' corners.csv >outside.csv
expect 4 validate bsdf outside.csv
says "outside.csv:2: beta_m is 2, expected 0 to 1"

# Elliptical sections against ray tracing: round ones agree to float precision.
expect 0 validate bsdf ellipse --json
python3 - <<'END' || failed "ellipse: $(cat printed)"
import json
rows = json.load(open("printed"))
assert [row["max_ellipticity"] for row in rows] == [1, 1.5, 2, 3], rows
for row in rows:
    assert row["lobe_energy_error"] < 1e-4 and row["lobe_azimuth_error"] < 1e-3, row
    assert row["residual_energy_error"] < 2e-3 and row["azimuthal_difference"] < 0.03, row
    assert row["furnace_error"] < 1e-3, row
END
expect 0 validate bsdf ellipse
prints residual_energy_error
expect 1 validate bsdf
says "TABLE is missing"
expect 3 validate bsdf nowhere.csv
says "nowhere.csv"
cut -d, -f 1-16 short.csv >narrow.csv
expect 4 validate bsdf narrow.csv
says "narrow.csv:1: no column 'exact_fcos_b'"
sed '3s/,/,x/' short.csv >words.csv
expect 4 validate bsdf words.csv
says "words.csv:3: eta: 'x"
sed '2s/$/,1/' short.csv >wide.csv
expect 4 validate bsdf wide.csv
says "wide.csv:2: 18 values under 17 names"
sed '2s/^[^,]*/2/' short.csv >outside.csv
expect 4 validate bsdf outside.csv
says "outside.csv:2: h is 2, expected -1 to 1"
head -n 1 short.csv >empty.csv
expect 4 validate bsdf empty.csv
says "without rows"

# Every experiment and every quantity is described.
expect 0 validate --help
for word in cantilever helix pull catenary greenhill sag beam chain pendulum free_fall drag wind \
    momentum incline capstan stick_slip restitution --gamma --weight-r2-over-b --l-over-span; do
    prints "$word"
done
finish

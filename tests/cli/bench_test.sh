#!/usr/bin/env bash
# Benchmarks print the documented results; their values depend on the machine.
source "$(dirname -- "$0")/cli.sh"

expect 0 bench sim --json --strands 400 --frames 2
python3 - <<'END' || failed "invalid results: $(cat printed)"
import json
results = json.load(open("printed"))
for key in ["pbd_mpi_per_s_thread", "rod_mvs_per_s_thread", "scaling_2", "head_100k_s_per_frame",
            "bytes_per_point", "rod_step_mvs_per_s_thread"]:
    assert results[key] > 0, key
assert results["strands"] == 400 and results["healed"] == 0
END
expect 0 bench sim --strands 100 --points 16 --substeps 2 --frames 1 --kernel wide4
prints "particle-iterations/s"
prints "kernels wide4"

expect 0 bench sim --only step --strands 200 --json
python3 - <<'END' || failed "one figure is not as it should be: $(cat printed)"
import json
results = json.load(open("printed"))
assert results["rod_step_mvs_per_s_thread"] > 0 and "head_100k_s_per_frame" not in results
END
expect 0 bench sim --only full_sim --threads 1 --strands 100 --frames 1
prints "on 1 threads"

expect 0 bench sim --table --strands 700 --frames 1 --substeps 2 --json
python3 - <<'END' || failed "invalid table: $(cat printed)"
import json
rows = json.load(open("printed"))
assert {row["solver"] for row in rows} >= {"pbd", "der"}
assert {row["points"] for row in rows} >= {8, 16, 32, 64, 128}
assert all(row["cpu_s_per_frame"] > 0 and row["cpu_ns_per_point_substep"] > 0 for row in rows)
END

expect 0 bench render --json --strands 300 --points 8 --size 32 --samples 2
python3 - <<'END' || failed "invalid results: $(cat printed)"
import json
results = json.load(open("printed"))
for key in ["msamples_per_cpu_s", "scaling_2", "bytes_per_segment", "build_us_per_segment"]:
    assert results[key] > 0, key
assert 0 < results["embree_share"] < 1
assert results["nearest_rays_per_sample"] >= 1  # at least the camera ray
END
expect 0 bench render --table --strands 3000 --points 8 --size 16 --samples 1 --json
python3 - <<'END' || failed "invalid table: $(cat printed)"
import json
assert [row["strands"] for row in json.load(open("printed"))] == [1000, 3000]
END
expect 0 bench render --strands 50 --points 8 --hair strands.hair
expect 0 info strands.hair
prints "400, 8 to 8 per strand"
expect 0 bench render --setting fur --strands 50 --size 16 --samples 1 --picture p.exr
[ -s p.exr ] || failed "no image"

expect 1 bench hair
says "cannot measure 'hair'; known: sim, render"
expect 1 bench sim --strands 0
says "--strands: 0 is outside"
expect 1 bench
says "SUBJECT is missing"
finish

#!/usr/bin/env bash
# Benchmarks print the documented results; their values depend on the machine.
source "$(dirname -- "$0")/cli.sh"

expect 0 bench sim --json --strands 400 --frames 2
python3 - <<'END' || failed "invalid results: $(cat printed)"
import json
results = json.load(open("printed"))
for key in ["pbd_million_particle_iterations_per_second", "der_million_vertex_substeps_per_second",
            "der_kernel_million_vertex_substeps_per_second", "two_thread_speedup",
            "full_sim_seconds_per_frame", "peak_bytes_per_point"]:
    assert results[key] > 0, key
assert results["strands"] == 400 and results["strands_reset"] == 0
END
expect 0 bench sim --strands 100 --points 16 --substeps 2 --frames 1 --kernel wide4
prints "pbd_million_particle_iterations_per_second"
prints "simd_lanes                                              4"

expect 0 bench sim --only der_kernel --strands 200 --json
python3 - <<'END' || failed "one figure is not as it should be: $(cat printed)"
import json
results = json.load(open("printed"))
assert results["der_kernel_million_vertex_substeps_per_second"] > 0
assert "full_sim_seconds_per_frame" not in results
END
expect 0 bench sim --only full_sim --threads 1 --strands 100 --frames 1
prints "full_sim_threads                                        1"

expect 0 bench sim --table --strands 700 --frames 1 --substeps 2 --json
python3 - <<'END' || failed "invalid table: $(cat printed)"
import json
rows = json.load(open("printed"))
assert {row["solver"] for row in rows} >= {"pbd", "der"}
assert {row["points"] for row in rows} >= {8, 16, 32, 64, 128}
assert all(row["cpu_seconds_per_frame"] > 0 and row["cpu_nanoseconds_per_point_substep"] > 0 for row in rows)
END

expect 0 bench render --json --strands 300 --points 8 --size 32 --samples 2
python3 - <<'END' || failed "invalid results: $(cat printed)"
import json
results = json.load(open("printed"))
for key in ["million_samples_per_cpu_second", "two_thread_speedup", "peak_bytes_per_segment",
            "build_microseconds_per_segment"]:
    assert results[key] > 0, key
assert 0 < results["embree_fraction"] < 1
assert results["closest_hit_rays_per_sample"] >= 1  # at least the camera ray
END
expect 0 bench render --table --strands 3000 --points 8 --size 16 --samples 1 --json
python3 - <<'END' || failed "invalid table: $(cat printed)"
import json
assert [row["strands"] for row in json.load(open("printed"))] == [1000, 3000]
END
expect 0 bench render --strands 50 --points 8 --hair strands.hair
expect 0 info strands.hair
prints "points                400"
prints "max_strand_points     8"
expect 0 bench render --hairball fur --strands 50 --size 16 --samples 1 --image p.exr
[ -s p.exr ] || failed "no image"

expect 1 bench hair
says "unknown benchmark 'hair'; known: sim, render"
expect 1 bench sim --strands 0
says "--strands: 0 is outside"
expect 1 bench
says "SUBJECT is missing"
finish

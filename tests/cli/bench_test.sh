#!/usr/bin/env bash
# Speed is told in the figures of the documentation; how large they are is the machine's business.
source "$(dirname -- "$0")/cli.sh"

expect 0 bench sim --json --strands 400 --frames 2
python3 - <<'END' || failed "the figures are not as they should be: $(cat printed)"
import json
figures = json.load(open("printed"))
for key in ["pbd_mpi_per_s_thread", "rod_mvs_per_s_thread", "scaling_2", "head_100k_s_per_frame",
            "bytes_per_point", "rod_step_mvs_per_s_thread"]:
    assert figures[key] > 0, key
assert figures["strands"] == 400 and figures["healed"] == 0
END
expect 0 bench sim --strands 100 --points 16 --substeps 2 --frames 1 --kernel wide4
prints "particle-iterations/s"
prints "kernels wide4"

expect 0 bench sim --only step --strands 200 --json
python3 - <<'END' || failed "one figure is not as it should be: $(cat printed)"
import json
figures = json.load(open("printed"))
assert figures["rod_step_mvs_per_s_thread"] > 0 and "head_100k_s_per_frame" not in figures
END
expect 0 bench sim --only head --threads 1 --strands 100 --frames 1
prints "on 1 threads"

expect 0 bench sim --table --strands 700 --frames 1 --substeps 2 --json
python3 - <<'END' || failed "the table is not as it should be: $(cat printed)"
import json
rows = json.load(open("printed"))
assert {row["solver"] for row in rows} >= {"pbd", "rod"}
assert {row["points"] for row in rows} >= {8, 16, 32, 64, 128}
assert all(row["cpu_s_per_frame"] > 0 and row["cpu_ns_per_point_substep"] > 0 for row in rows)
END

expect 1 bench render
says "cannot measure 'render'; known: sim"
expect 1 bench sim --strands 0
says "--strands: 0 is outside"
expect 1 bench
says "SUBJECT is missing"
finish

// Disables warnings in fuzz targets.
#include "core/base/log.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    coif_log_setup(COIF_LOG_ERROR, false);
    return 0;
}

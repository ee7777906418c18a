// A shared object that is no plugin.
#include <coif/plugin.h>

COIF_PLUGIN_EXPORT int coif_something_else(void);

int coif_something_else(void)
{
    return 1;
}

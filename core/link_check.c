// Source of the link checks in CMakeLists.txt: a module needs at least one object.
extern const int coif_link_check;
const int coif_link_check = 1;

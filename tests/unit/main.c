/* Runs the tests of the file that the argument names; without one, a program's
 * only file. Programs that take other arguments have a main() of their own. */
#include "tests/unit/unit.h"

int main(int argc, char **argv)
{
	return unit_run(argc == 2 ? argv[1] : NULL);
}

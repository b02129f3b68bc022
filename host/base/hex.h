/* Hexadecimal digits. */
#ifndef BASE_HEX_H
#define BASE_HEX_H

/* The value of a digit in either case; -1: it is none. */
static inline int hex_digit(char ch)
{
	if (ch >= '0' && ch <= '9')
		return ch - '0';
	if (ch >= 'a' && ch <= 'f')
		return ch - 'a' + 10;
	if (ch >= 'A' && ch <= 'F')
		return ch - 'A' + 10;
	return -1;
}

#endif

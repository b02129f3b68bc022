/* The measured part of guests.c, in assembly (work_ISA.S). */
#ifndef WORK_H
#define WORK_H

void work(void);

/* Marks of a region. */
void work_begin(void);
void work_end(void);

/* Calls work() again and again; work_tail() jumps to it. */
void region(int n);
void work_tail(int n);

/* Write a function that returns `value` to `code`. */
void work_write(void *code, int value);

#endif

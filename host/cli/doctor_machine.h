/* What `anechoic doctor` says of this machine. */
#ifndef CLI_DOCTOR_MACHINE_H
#define CLI_DOCTOR_MACHINE_H

#include "host/campaign/campaign.h"

/* Print what limits or disturbs measurements on this machine; a line that is
 * marked '--' costs values or time.  Takes half a second. */
void doctor_machine(struct arena *a);

/* Measure a part of the set of `q` and print how long the whole takes and how
 * much of it has a value.  Takes some seconds.  Errors of forecast_make(). */
int doctor_forecast(const struct campaign_request *q, struct err *e);

#endif

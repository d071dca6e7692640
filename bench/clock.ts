/** The one clock of all processes here: milliseconds of the machine's monotonic clock, which they share. */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6;

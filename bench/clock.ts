/** The shared clock of all processes of the bench: milliseconds of the machine's monotonic clock. */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6;

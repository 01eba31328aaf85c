/** Milliseconds that only ever go on, whatever happens to the machine's clock: for waits, not for dates. */
export const ticks = (): number => performance.now();

/** How many cases a property is tried with: few in `npm test`, as many as `npm run test:fuzz` is told. */
export const runs = { numRuns: Number(process.env.FUZZ_COUNT ?? 200) };

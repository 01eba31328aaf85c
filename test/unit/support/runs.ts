/** Cases per property: few in `npm test`, `--count` in `npm run test:fuzz`. */
export const runs = { numRuns: Number(process.env.FUZZ_COUNT ?? 200) };

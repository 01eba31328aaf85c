/** `npm run test:simulation -- --worlds 10000 --seed 1`; without a seed, the worlds differ each time. */
import { parseArgs } from 'node:util';

import { figures } from './n8n';
import { lawful, simulate } from './simulate';

const { values } = parseArgs({
	options: {
		worlds: { type: 'string', default: '10000' },
		seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
	},
});
console.log(`npm run test:simulation -- --worlds ${values.worlds} --seed ${values.seed}`);
void simulate(lawful, Number(values.worlds), Number(values.seed)).then(({ failed, report }) => {
	console.table({ ...figures, violations: Number(failed) });
	if (failed) console.error(report);
	process.exitCode = Number(failed);
});

/** Is imported first, before anything that an older Node.js cannot load. */
import { engines } from '../../package.json';

const oldest = engines.node.replace('>=', '');
const { node } = process.versions;

if (node.localeCompare(oldest, 'en', { numeric: true }) < 0) {
	console.error(`Node.js ${oldest} or newer is needed, and this is ${node}: https://nodejs.org`);
	process.exit(1);
}

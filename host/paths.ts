import path from 'node:path';

/** Where the parts of the installed host are. */

export const hostFolder = __dirname;
export const packageFolder = path.dirname(hostFolder);

/** The Node.js that n8n runs on: it comes with the host, whatever Node.js the machine has. */
export const nodeBinary = path.join(hostFolder, 'node_modules', 'node', 'bin', 'node');
export const n8nBinary = path.join(hostFolder, 'node_modules', 'n8n', 'bin', 'n8n');

/** Runs n8n's package scanner on the sources in a folder: `node release/scan.mjs FOLDER`. Works offline. */
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

const { passed, message, details } = await analyzePackage(process.argv[2], SOURCE_FILE_PATTERNS);
if (!passed) {
	console.log([message, details].filter(Boolean).join('\n'));
	process.exitCode = 1;
}

/**
 * Runs n8n's package scanner on a folder, offline: `node tools/release/scan.mjs FOLDER [PATTERN …]`; without
 * a pattern, on the sources. Prints findings, and then exits with 1.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [folder, ...patterns] = process.argv.slice(2);

// On import, the scanner creates a temporary folder, and never removes it.
const temporary = mkdtempSync(join(tmpdir(), 'package-scan-'));
process.env.TMPDIR = temporary;
// The scanner's rules expect their authors' tests in a test environment.
process.env.NODE_ENV = '';

try {
	const scanner = await import('@n8n/scan-community-package/scanner/scanner.mjs');
	const asked = patterns.length > 0 ? patterns : scanner.SOURCE_FILE_PATTERNS;
	const { passed, message, details } = await scanner.analyzePackage(folder, asked);
	if (!passed) {
		console.log([message, details].filter(Boolean).join('\n'));
		process.exitCode = 1;
	}
} finally {
	rmSync(temporary, { recursive: true });
}

import { allInstallations, type Installation } from '../../host/paths';

/** The n8n that run.ts named in N8N_VERSION. */
export function n8nUnderTest(): Installation {
	const { N8N_VERSION: version } = process.env;
	const found = allInstallations().find((n8n) => n8n.version === version);
	if (!found) throw new Error(`N8N_VERSION names none of the installations: ${version}`);
	return found;
}

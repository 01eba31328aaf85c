import { installationIn, type NpmInstallation } from '../../host/paths';

/** The n8n that run.ts chose. */
export function n8nUnderTest(): NpmInstallation {
	const { N8N_FOLDER: folder } = process.env;
	if (!folder) throw new Error('N8N_FOLDER does not say where n8n is');
	return installationIn(folder);
}

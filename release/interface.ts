import { parse } from 'yaml';
import type { Project } from './project';

/** What is used here of the service's OpenAPI document. */
export interface Interface {
	paths: Record<string, Record<string, { parameters?: Array<{ name?: string }> }>>;
	components: {
		parameters: Record<string, { name: string }>;
		schemas: Record<string, { properties?: object }>;
		securitySchemes: Record<string, { type: string }>;
	};
}

export const interfaceOf = ({ files }: Pick<Project, 'files'>): Interface =>
	parse(files['docs/openapi.yaml'] ?? '') as Interface;

/** The most fields that an object of the service has. */
export const mostFields = (project: Pick<Project, 'files'>): number =>
	Math.max(
		...Object.values(interfaceOf(project).components.schemas).map(
			({ properties = {} }) => Object.keys(properties).length,
		),
	);

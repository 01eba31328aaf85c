/** What the pages need from the service's OpenAPI document, by method and path of a request. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { serviceTexts } from '../../nodes/gateway/judge/situation';

interface Endpoint {
	/** Of docs/interface.md, e.g. `4.5`. */
	section: string;
	/** E.g. `/v1/apikeys/{key_id}`. */
	template: string;
	/** Its texts in §7. */
	errorTexts: string[];
	/** Whether it may answer with a validation error. */
	validates: boolean;
}

interface Refusal {
	$ref?: string;
	'x-error-messages'?: string[];
}

interface Document {
	paths: Record<string, Record<string, { description: string; responses: { default: Refusal } }>>;
}

const file = path.join(__dirname, '../../docs/openapi.yaml');

const { paths } = parse(readFileSync(file, 'utf8')) as Document;

const endpoints = Object.entries(paths).flatMap(([template, methods]) =>
	Object.entries(methods).map(([method, { description, responses }]) => ({
		method: method.toUpperCase(),
		pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
		template,
		section: /§([\d.]*\d)/.exec(description)?.[1] ?? '',
		// §5.4 applies to every operation, even if §7 lists none for it.
		errorTexts: responses.default['x-error-messages'] ?? [serviceTexts.invalidToken],
		validates: /Validation/.test(responses.default.$ref ?? ''),
	})),
);

/** @throws Error when the document has no such operation */
export function endpointOf({ method, path }: { method: string; path: string }): Endpoint {
	const found = endpoints.find((each) => each.method === method && each.pattern.test(path));
	if (found) return found;
	throw new Error(`${method} ${path} is not in docs/openapi.yaml`);
}

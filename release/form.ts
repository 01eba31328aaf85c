import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import type { Project } from './project';

/** A field of a form, and the node or credential that it stands in. */
export interface Field extends Omit<INodeProperties, 'options'> {
	owner: string;
	/** Of a dropdown. */
	choices: INodePropertyOptions[];
	/** In the dropdown of optional fields of this name, e.g. `options`. */
	collection?: string;
}

/** An entry of the dropdown 'Operation'. */
export interface Operation extends INodePropertyOptions {
	action: string;
	description: string;
	/** Name of the resource that is selected above it. */
	resource: string;
}

/** Every field of every form, those in collections included. */
export function fieldsOf({ nodes, credentials }: Pick<Project, 'nodes' | 'credentials'>): Field[] {
	return [...nodes, ...credentials].flatMap(({ displayName, properties }) =>
		properties.flatMap((property) => flatten(property, displayName)),
	);
}

export function operationsOf({ nodes }: Pick<Project, 'nodes'>): Operation[] {
	const fields = fieldsOf({ nodes, credentials: [] });
	const resources = fields
		.filter(({ name }) => name === 'resource')
		.flatMap((field) => field.choices);
	return fields
		.filter(({ name }) => name === 'operation')
		.flatMap(({ choices, displayOptions }) =>
			choices.map((choice) => ({
				...choice,
				action: choice.action ?? '',
				description: choice.description ?? '',
				resource:
					resources.find(({ value }) => displayOptions?.show?.resource?.includes(value))?.name ??
					'',
			})),
		);
}

/** What people read in the forms, each with where it stands. */
export function textsOf(project: Project): Array<{ at: string; text: string }> {
	const ofNodes = project.nodes.map(({ displayName, description }) => ({
		at: displayName,
		text: description,
	}));
	const ofFields = fieldsOf(project).flatMap(
		({ owner, displayName, description, hint, choices, type }) => {
			const at = nameOf({ owner, displayName, type });
			const texts = [description, hint, ...choices.map((choice) => choice.description)];
			return texts.filter((text) => text).map((text) => ({ at, text: text! }));
		},
	);
	return [...ofNodes, ...ofFields];
}

export const nameOf = ({
	owner,
	displayName,
	type,
}: Pick<Field, 'owner' | 'displayName' | 'type'>): string =>
	`${owner} › ${type === 'notice' ? 'notice' : displayName}`;

function flatten(property: INodeProperties, owner: string, collection?: string): Field[] {
	const { options = [], ...field } = property;
	const isDropdown = property.type === 'options' || property.type === 'multiOptions';
	const choices = isDropdown ? (options as INodePropertyOptions[]) : [];
	const inside =
		property.type === 'collection'
			? (options as INodeProperties[])
			: property.type === 'fixedCollection'
				? (options as INodePropertyCollection[]).flatMap(({ values }) => values)
				: [];
	return [
		{ ...field, owner, choices, collection },
		...inside.flatMap((entry) => flatten(entry, owner, property.name)),
	];
}

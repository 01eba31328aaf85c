import './instance';
import { getAdditionalKeys } from 'n8n-core';
import {
	NodeHelpers,
	type ICredentialDataDecryptedObject,
	type ICredentialsExpressionResolveValues,
	type IExecuteData,
	type IHttpRequestOptions,
	type INodeCredentialsDetails,
	type INodeParameters,
	type IRequestOptionsSimplified,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { credentialType, nodeTypes } from './types';

/**
 * Does what the engine asks of the `CredentialsHelper` of n8n's server, for one stored credential.
 * `reads` counts how often it was read, which in n8n is a database query and a decryption.
 */
export class CredentialsHelper {
	reads = 0;

	constructor(private readonly stored: ICredentialDataDecryptedObject) {}

	async getDecrypted(
		additionalData: IWorkflowExecuteAdditionalData,
		_details: INodeCredentialsDetails,
		type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		raw?: boolean,
		resolve?: ICredentialsExpressionResolveValues,
	) {
		this.reads++;
		const stored = structuredClone(this.stored);
		if (raw) return stored;
		const data = NodeHelpers.getNodeParameters(
			this.getCredentialsProperties(type),
			stored as INodeParameters,
			true,
			false,
			null,
			null,
		)!;
		if (!resolve) return data as ICredentialDataDecryptedObject;
		return resolve.workflow.expression.getParameterValue(
			data,
			resolve.runExecutionData,
			resolve.runIndex,
			resolve.itemIndex,
			resolve.node.name,
			resolve.connectionInputData,
			mode,
			getAdditionalKeys(additionalData, mode, null, { isCredential: true }),
			executeData,
			false,
			data,
		) as ICredentialDataDecryptedObject;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		options: IHttpRequestOptions | IRequestOptionsSimplified,
	) {
		const request = options as IHttpRequestOptions;
		const { authenticate } = credentialType(typeName);
		if (typeof authenticate === 'function') return await authenticate(credentials, request);
		throw new Error('Only authentication by a function is modelled');
	}

	/** n8n asks for a new token only where a credential type has a hidden, expirable field. */
	async preAuthentication() {
		return undefined;
	}

	getParentTypes(name: string) {
		return credentialType(name).extends ?? [];
	}

	getCredentialsProperties(type: string) {
		return credentialType(type).properties;
	}

	isCredentialUsableByNode(type: string, node: string) {
		if (!credentialType(type).restrictToSupportedNodes) return true;
		const { credentials } = nodeTypes.getByNameAndVersion(node).description;
		return credentials?.some(({ name }) => name === type) ?? false;
	}
}

/** The pages of n8n's documentation that the points are of. */
const pages = 'https://docs.n8n.io/connect/create-nodes';
const reference = `${pages}/build-your-node/reference`;

export const verification = (section: string) => `${reference}/verification-guidelines#${section}`;
export const ux = (section: string) => `${reference}/ux-guidelines#${section}`;
export const codeStandards = (section: string) => `${reference}/code-standards#${section}`;
export const design = (section: string) => `${pages}/plan-your-node/node-ui-design#${section}`;
export const submission = `${pages}/deploy-your-node/submit-community-nodes`;

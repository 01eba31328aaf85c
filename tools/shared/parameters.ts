/** The parameters that operations require. */
export const neededParameters = {
	keyId: { mode: 'id', value: 'k1' },
	campaignId: 'c1',
	instance: 'i1',
	messageId: 'm1',
	to: '5511912345678',
	text: 'Olá',
	message: 'Sim ou não?',
	responseType: 'approval',
	mediaUrl: 'https://x.example/a.png',
	audioSource: 'base64',
	audioBase64: 'data:audio/ogg;base64,T2dn',
	url: 'https://x.example',
};

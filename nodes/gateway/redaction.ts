/** Shorter Base64 would be found in texts that hold no secret. */
const shortestBase64 = 8;

/** The ways in which a secret may be written: as it is, in JSON, in a URL, in Base64. */
export function spellingsOf(secret: string): string[] {
	const inJson = JSON.stringify(secret).slice(1, -1);
	const inUrl = encodeURIComponent(Buffer.from(secret).toString()); // no half of a pair, which throws
	const all = [
		secret,
		...[inJson, inJson.replaceAll('/', '\\/')],
		...[inUrl, inUrl.replace(/%../g, (byte) => byte.toLowerCase())],
		...[0, 1, 2].flatMap((before) => base64Of(secret, before)),
	];
	return [...new Set(all)];
}

/** Base64 of a secret behind so many other bytes: the signs that these and what follows leave alone. */
function base64Of(secret: string, before: number): string[] {
	const end = before + Buffer.byteLength(secret);
	const padded = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
	const text = padded
		.toString('base64')
		.slice(Math.ceil((before * 4) / 3), Math.floor((end * 4) / 3));
	if (text.length < shortestBase64) return [];
	return [text, text.replaceAll('+', '-').replaceAll('/', '_')];
}

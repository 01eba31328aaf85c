import { generateKeyPairSync, sign } from 'node:crypto';

interface CertificateOptions {
	/** The name that it is for. */
	name?: string;
	/** How long it is valid, in years from now. */
	from?: number;
	to?: number;
	/** Who signs it. Default: itself. */
	issuer?: Certificate;
}

export interface Certificate {
	/** Both as PEM. */
	cert: string;
	key: string;
	/** Of who is in it. */
	subject: Buffer;
}

/** An X.509 certificate (RFC 5280), which Node reads and cannot make. */
export function makeCertificate({
	name = 'localhost',
	from = -1,
	to = 1,
	issuer,
}: CertificateOptions = {}): Certificate {
	const pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
	const key = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
	const subject = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(name)))));
	const content = sequence(
		der(0xa0, integer(2)), // version 3
		integer(Date.now() % 1_000_000),
		algorithm,
		issuer?.subject ?? subject,
		sequence(inYears(from), inYears(to)),
		subject,
		pair.publicKey.export({ type: 'spki', format: 'der' }),
		der(0xa3, sequence(extension('551d11', sequence(der(0x82, Buffer.from(name)))))),
	);
	const signature = sign('sha256', content, issuer?.key ?? key);
	const whole = sequence(content, algorithm, der(0x03, Buffer.from([0]), signature));
	const lines = whole.toString('base64').match(/.{1,64}/g)!;
	const cert = ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join(
		'\n',
	);
	return { cert, key, subject };
}

function der(tag: number, ...contents: Buffer[]): Buffer {
	const content = Buffer.concat(contents);
	const { length } = content;
	const size =
		length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
	return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...contents: Buffer[]): Buffer => der(0x30, ...contents);
const id = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const algorithm = sequence(id('2a8648ce3d040302')); // ecdsa-with-SHA256
const commonName = id('550403');

const extension = (hex: string, content: Buffer): Buffer => sequence(id(hex), der(0x04, content));

function integer(value: number): Buffer {
	const bytes = Buffer.alloc(4);
	bytes.writeInt32BE(value);
	const start = [...bytes.subarray(0, 3)].findIndex((byte) => byte !== 0);
	const short = bytes.subarray(start === -1 ? 3 : start);
	return der(0x02, short[0]! < 0x80 ? short : Buffer.concat([Buffer.from([0]), short]));
}

/** As GeneralizedTime. */
function inYears(years: number): Buffer {
	const date = new Date(Date.now() + years * 365 * 86_400_000);
	return der(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]|\.\d+/g, '')}`));
}

import type { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { number } from '../../../form/field';
import { fileField, mimeTypeOfName, findFile, ownFile } from '../../../form/fields/file';
import { formatInstant } from '../../../form/fields/scheduleAt';
import { webAddress } from '../../../form/fields/webAddress';
import type { Item } from '../../../form/item';
import { option } from '../../../form/option';
import { choice, trimmed } from '../../../form/textField';
import { publicAddressHint, readOwnAddress } from '../../../n8n/ownAddress';
import { isReachable } from '../../../text/host';

const orFileHint = "For a file of the workflow, set 'Media Source' to File.";
const linkHint = `Enter the full address of the media, e.g. https://example.com/photo.jpg. ${orFileHint}`;

export const mediaSourceFields = {
	mediaSource: choice({
		displayName: 'Media Source',
		name: 'mediaSource',
		type: 'options',
		options: [
			{
				name: 'File',
				value: 'binary',
				description: 'A file that comes with the item. This node makes a link to it.',
			},
			{ name: 'Link', value: 'url', description: 'A public address of the file' },
		],
		default: 'url',
		description: 'Where the media comes from',
	}),
	mediaUrl: webAddress(
		trimmed(
			{
				displayName: 'Media URL',
				name: 'mediaUrl',
				type: 'string',
				required: true,
				default: '',
				displayOptions: { show: { mediaSource: ['url'] } },
				placeholder: 'e.g. https://example.com/photo.jpg',
				description:
					'Direct link to the file, e.g. https://example.com/photo.jpg. It must open without signing in.',
			},
			linkHint,
		),
		linkHint,
		`Enter an address that opens from anywhere, e.g. https://example.com/photo.jpg. ${orFileHint}`,
	),
	file: fileField({ displayOptions: { show: { mediaSource: ['binary'] } } }),
};

export const linkValidForOption = option(
	number({
		displayName: 'Link Valid For (Hours)',
		name: 'linkValidFor',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 24,
		displayOptions: { show: { '/mediaSource': ['binary'] } },
		description:
			'How long the link to the file works, from the time of sending. Until then, n8n must keep the execution.',
	}),
);

interface MediaSource {
	mimeType: string | undefined;
	/** The address that was entered; of a file what identifies it at each try. */
	identity: string;
	/** Whether the link that is sent ends some time after. */
	expires: boolean;
	/** Returns the link that is sent at an instant (ms since 1970), and what a dry run shows of it. */
	linkAt(sendAt: DateTime<true> | undefined, now: number): { url: string; shown: IDataObject };
}

/** Matches the format that an address asks an image service or an export for: `?fm=jpg`. */
const askedFormat = /(?:[?&](?:format|fm|output|tqx)=(?:out:)?|\/export\/)([a-z\d]+)(?=[&?]|$)/i;

/** Reads a link that was entered. @param setType the MIME type that a person has set */
export function readLinkSource(item: Item, url: string, setType: string): MediaSource {
	const { host: linkHost, href, pathname, search } = new URL(url);
	const [, format = ''] = askedFormat.exec(pathname + search) ?? [];
	const asked = mimeTypeOfName(`.${format}`);
	if (setType === '' && !asked && isSharingPage(url)) {
		throw item.invalid(
			`'Media URL' opens a page for sharing, not the file itself: '${item.quote(url)}'`,
			`${getFileHint}. In a link of Dropbox, you can also write dl=1 instead of dl=0. If this is a direct link, set 'MIME Type' in the options.`,
		);
	}
	const withoutVariant = pathname.replace(/[:;][^/:;]*$/, ''); // `photo.jpg:large`, `photo.jpg;v=2`
	const mimeType = mimeTypeOfName(pathname) ?? mimeTypeOfName(withoutVariant) ?? asked;
	return {
		mimeType,
		identity: href,
		expires: false,
		linkAt: () => ({ url: href, shown: { linkHost } }),
	};
}

/**
 * Reads a file of the item. Its link is signed when the message leaves, and valid from then on.
 *
 * @throws NodeOperationError when n8n has no link to it, or one that the service cannot open
 */
export async function readFileSource(
	item: Item,
	fieldName: string,
	hours: number,
): Promise<MediaSource> {
	const { context } = item;
	const { file, mimeType, identity } = await findFile(item, fieldName);
	const instead = "Or set 'Media Source' to Link and enter a public address.";
	if (!file.id) {
		throw item.invalid(
			`n8n has no link to the file in '${item.quote(fieldName)}', because it keeps the file in memory`,
			`Set the environment variable N8N_DEFAULT_BINARY_DATA_MODE to filesystem and restart n8n. In a Code node, make the file with this.helpers.prepareBinaryData. ${instead}`,
		);
	}
	const own = await ownFile(item, file);
	return {
		...{ mimeType, identity, expires: true },
		linkAt(sendAt, now) {
			const end = (sendAt?.toMillis() ?? now) + hours * 3_600_000;
			const link = context.helpers.createBinarySignedUrl(own, `${Math.ceil((end - now) / 1000)}s`);
			const url = readOwnAddress(link, context.getInstanceBaseUrl(), item);
			if (isReachable(url, item.account.origin)) {
				const linkEndsAt = formatInstant(end, item.timezone);
				return { url: url.href, shown: { linkHost: url.host, linkEndsAt } };
			}
			throw item.invalid(
				`The service could not open the link to the file at ${url.origin}`,
				`${publicAddressHint}. ${instead}`,
			);
		},
	};
}

export const getFileHint =
	"Get the file with its node, e.g. Google Drive, and set 'Media Source' to File";

/** Matches hosts, some with a path, whose links open a page that shows a file, or asks to sign in. */
const sharingPages =
	/^((www\.)?(github\.com|gitlab\.com|huggingface\.co)\/.+\/blob|[\w.-]+\.wiki[mp]edia\.org\/wiki|(drive|docs|photos)\.google\.com|photos\.app\.goo\.gl|(www\.)?dropbox\.com|onedrive\.live\.com|1drv\.ms|[\w-]+\.sharepoint\.com|(www|share)\.icloud\.com|(www\.)?wetransfer\.com|we\.tl|[\w-]+\.box\.com|(www\.)?mediafire\.com|mega\.nz)\//;

/** Matches the paths and queries with which these hosts give the file itself. */
const directFileLink =
	/^\/uc\?|\/(export|download)([/?]|$)|\/shared\/static\/|[?&](dl|raw|download)=(1|true)(&|$)/;

/** Whether a web address is a link for sharing a file, as people copy it, and not the file itself. */
export function isSharingPage(address: string): boolean {
	const { hostname, pathname, search } = new URL(address);
	return sharingPages.test(hostname + pathname) && !directFileLink.test(pathname + search);
}

import { isSharingPage } from '../../../nodes/gateway/addresses';

test.each([
	'https://drive.google.com/file/d/1aBcD/view?usp=sharing',
	'https://drive.google.com/open?id=1aBcD',
	'https://drive.google.com/drive/folders/1aBcD',
	'https://docs.google.com/document/d/1aBcD/edit?usp=sharing',
	'https://photos.app.goo.gl/1aBcD',
	'https://photos.google.com/share/1aBcD',
	'https://www.dropbox.com/s/1aBcD/foto.jpg?dl=0',
	'https://www.dropbox.com/scl/fi/1aBcD/foto.jpg?rlkey=x&dl=0',
	'https://dropbox.com/s/1aBcD/foto.jpg',
	'https://onedrive.live.com/?id=1aBcD',
	'https://1drv.ms/i/s!1aBcD',
	'https://acme.sharepoint.com/:i:/g/1aBcD',
	'https://acme-my.sharepoint.com/:i:/g/1aBcD?e=x',
	'https://www.icloud.com/iclouddrive/1aBcD#foto',
	'https://share.icloud.com/photos/1aBcD',
	'https://wetransfer.com/downloads/1aBcD',
	'https://we.tl/t-1aBcD',
	'https://app.box.com/s/1aBcD',
	'https://www.mediafire.com/file/1aBcD/foto.jpg/file',
	'https://mega.nz/file/1aBcD',
	'HTTPS://DRIVE.GOOGLE.COM/file/d/1aBcD/view',
])('%s is a page', (address) => {
	expect(isSharingPage(address)).toBe(true);
});

test.each([
	'https://drive.google.com/uc?export=download&id=1aBcD',
	'https://drive.usercontent.google.com/download?id=1aBcD',
	'https://lh3.googleusercontent.com/d/1aBcD',
	'https://docs.google.com/document/d/1aBcD/export?format=pdf',
	'https://www.dropbox.com/s/1aBcD/foto.jpg?dl=1',
	'https://www.dropbox.com/scl/fi/1aBcD/foto.jpg?rlkey=x&raw=1',
	'https://dl.dropboxusercontent.com/s/1aBcD/foto.jpg',
	'https://dl.dropbox.com/s/1aBcD/foto.jpg',
	'https://acme.sharepoint.com/:i:/g/1aBcD?e=x&download=1',
	'https://onedrive.live.com/download?cid=x&resid=1aBcD',
	'https://app.box.com/shared/static/1aBcD.jpg',
	'https://download1234.mediafire.com/x/foto.jpg',
	'https://example.com/drive.google.com/file/foto.jpg',
	'https://drive.google.com.example.com/foto.jpg',
	'https://mydropbox.com/foto.jpg',
])('%s may be the file', (address) => {
	expect(isSharingPage(address)).toBe(false);
});

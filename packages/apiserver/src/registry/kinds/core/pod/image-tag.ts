const DOMAIN_PART = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?';
const DOMAIN = String.raw`(?:${DOMAIN_PART}(?:\.${DOMAIN_PART})*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?`;
const PATH_PART = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const REFERENCE = new RegExp(
  String.raw`^(?:${DOMAIN}/)?${PATH_PART}(?:/${PATH_PART})*(?::(\w[\w.-]{0,127}))?(?:@(${DIGEST}))?$`,
);
const IMAGE_ID = /^[a-f0-9]{64}$/;

/**
 * The tag of an image: `latest` if the image names neither tag nor digest, and nothing if it cannot
 * be read at all.
 */
export function imageTag(image: string): string {
  const reference = IMAGE_ID.test(image) ? null : REFERENCE.exec(image);
  if (reference === null) return '';
  const [, tag = '', digest = ''] = reference;
  return tag === '' && digest === '' ? 'latest' : tag;
}

/** Images that may move under their tag are pulled anew each time. */
export function defaultPullPolicy(image: string): 'Always' | 'IfNotPresent' {
  return imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent';
}

import { posix } from 'node:path';

/** Where a proxied page comes from, and where it is seen. */
export interface ProxiedPlace {
  /** Host and port that the request was sent to. */
  readonly host: string;
  /** The `Host` header of the client. */
  readonly requestHost: string;
  /** The path of the proxy itself. */
  readonly prefix: string;
}

/**
 * Returns a URL that leads through the proxy if it belongs to the proxied server: one that has its
 * host, or none, and an absolute path. Others are returned as they are.
 */
export function proxiedUrl(text: string, { host, requestHost, prefix }: ProxiedPlace): string {
  const [, scheme = '', own, path = '', rest = ''] =
    /^([a-zA-Z][a-zA-Z0-9+.-]*:)?(?:\/\/([^/?#]*))?([^?#]*)(.*)$/s.exec(text) ?? [];
  if (scheme !== '' && own === undefined) return text;
  const isOther = own !== undefined && own !== '' && own !== host && own !== requestHost;
  if (isOther || !path.startsWith('/')) return text;
  // The client's own host stays, so that the link is the same for it.
  const origin = own === requestHost && own !== host ? `${scheme}//${own}` : '';
  if (path.startsWith(prefix)) return `${origin}${path}${rest}`;
  return `${origin}${posix.join(prefix, path)}${rest}`;
}

/** The attributes with URLs, by element. */
const URL_ATTRIBUTES: ReadonlyMap<string, readonly string[]> = new Map([
  ['a', ['href']],
  ['applet', ['codebase']],
  ['area', ['href']],
  ['audio', ['src']],
  ['base', ['href']],
  ['blockquote', ['cite']],
  ['body', ['background']],
  ['button', ['formaction']],
  ['command', ['icon']],
  ['del', ['cite']],
  ['embed', ['src']],
  ['form', ['action']],
  ['frame', ['longdesc', 'src']],
  ['head', ['profile']],
  ['html', ['manifest']],
  ['iframe', ['longdesc', 'src']],
  ['img', ['longdesc', 'src', 'usemap']],
  ['input', ['src', 'usemap', 'formaction']],
  ['ins', ['cite']],
  ['link', ['href']],
  ['object', ['classid', 'codebase', 'data', 'usemap']],
  ['q', ['cite']],
  ['script', ['src']],
  ['source', ['src']],
  ['video', ['poster', 'src']],
]);

/** Elements whose content is text, in which nothing looks like a tag. */
const TEXT_ELEMENTS = 'script|style|textarea|title|xmp|iframe|noembed|noframes';

const COMMENT = '<!--[\\s\\S]*?(?:-->|$)';
const TAG = '<[a-zA-Z][^\\s/>]*(?:[^>"\']|"[^"]*"|\'[^\']*\')*>';
const TEXT_ELEMENT = `(<(${TEXT_ELEMENTS})(?=[\\s/>])(?:[^>"']|"[^"]*"|'[^']*')*>)[\\s\\S]*?(?:(?=</\\2)|$)`;

/** Matches comments, elements with text, and start tags, in that order of precedence. */
const PIECES = new RegExp(`${COMMENT}|${TEXT_ELEMENT}|${TAG}`, 'gi');

const ATTRIBUTE = /([^\s"'<>/=]+)(\s*=\s*)("[^"]*"|'[^']*'|[^\s"'=<>`]+)/g;

/** Rewrites the links of a page, so that they lead through the proxy; see {@link proxiedUrl}. */
export function rewriteLinks(html: string, place: ProxiedPlace): string {
  return html.replace(PIECES, (piece: string, start: string | undefined) => {
    if (piece.startsWith('<!--')) return piece;
    const tag = start ?? piece;
    return `${rewriteTag(tag, place)}${piece.slice(tag.length)}`;
  });
}

function rewriteTag(tag: string, place: ProxiedPlace): string {
  const name = /^<([^\s/>]+)/.exec(tag)?.[1] ?? '';
  const urls = URL_ATTRIBUTES.get(name.toLowerCase());
  if (urls === undefined) return tag;
  const attributes = tag.slice(name.length + 1);
  const rewritten = attributes.replace(
    ATTRIBUTE,
    (attribute: string, key: string, equals: string, quoted: string) => {
      if (!urls.includes(key.toLowerCase())) return attribute;
      const value = /^["']/.test(quoted) ? quoted.slice(1, -1) : quoted;
      const url = unescapeHtml(value);
      const changed = proxiedUrl(url, place);
      return changed === url ? attribute : `${key}${equals}"${escapeHtml(changed)}"`;
    },
  );
  return `<${name}${rewritten}`;
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll(/&(?:quot|#34);/g, '"')
    .replaceAll(/&(?:apos|#39);/g, "'")
    .replaceAll('&amp;', '&');
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&#34;')
    .replaceAll("'", '&#39;');
}

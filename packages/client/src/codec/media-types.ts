/** The media types of the Kubernetes API. */
export const MEDIA_TYPES = {
  json: 'application/json',
  jsonWatch: 'application/json;stream=watch',
  protobuf: 'application/vnd.kubernetes.protobuf',
  protobufWatch: 'application/vnd.kubernetes.protobuf;stream=watch',
  yaml: 'application/yaml',
  jsonPatch: 'application/json-patch+json',
  mergePatch: 'application/merge-patch+json',
  strategicMergePatch: 'application/strategic-merge-patch+json',
  applyPatch: 'application/apply-patch+yaml',
} as const;

/** A media type of the Kubernetes API. */
export type MediaType = (typeof MEDIA_TYPES)[keyof typeof MEDIA_TYPES];

/**
 * Returns the type without its parameters: `application/json; charset=utf-8` → `application/json`.
 */
export function mediaTypeEssence(header: string): string {
  const semicolon = header.indexOf(';');
  return (semicolon === -1 ? header : header.slice(0, semicolon)).trim().toLowerCase();
}

/** A parameter, `name=value` or `name="quoted value"`, with the semicolon before it. */
const PARAMETER = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))\s*(?=;|$)/gy;

/**
 * Returns the parameters of a media type: `application/json;as=Table;v=v1` → `as: Table, v: v1`.
 * Names are in lower case. Parsing stops at a malformed parameter.
 */
export function mediaTypeParameters(header: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  const start = header.indexOf(';');
  if (start === -1) return parameters;
  PARAMETER.lastIndex = start;
  for (let match = PARAMETER.exec(header); match !== null; match = PARAMETER.exec(header)) {
    const [, name = '', quoted, plain = ''] = match;
    parameters.set(name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, '$1') ?? plain);
  }
  return parameters;
}

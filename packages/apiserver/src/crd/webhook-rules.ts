import type { ServiceReference, WebhookClientConfig } from 'client-ts/api/apiextensions/v1';
import { validateDns1123Subdomain } from 'client-ts/meta';

import { type FieldError, invalid, required } from '../validation/field-error.ts';
import { validatePortNumber } from '../validation/names.ts';

/** Validates how to reach a webhook: exactly one of URL and service. */
export function validateWebhookClientConfig(
  config: WebhookClientConfig | undefined,
  field: string,
): FieldError[] {
  if (config === undefined) return [required(field, 'required when strategy is set to Webhook')];
  const { url, service } = config;
  if ((url === undefined) === (service === undefined)) {
    return [required(field, 'exactly one of url or service is required')];
  }
  return service === undefined
    ? validateUrl(url ?? '', `${field}.url`)
    : validateService(service, `${field}.service`);
}

function validateUrl(text: string, field: string): FieldError[] {
  const form = '; desired format: https://host[/path]';
  if (!URL.canParse(text)) {
    return [
      ...(text.startsWith('https:')
        ? []
        : [invalid(field, '', `'https' is the only allowed URL scheme${form}`)]),
      invalid(field, '', `host must be specified${form}`),
    ];
  }
  const { protocol, host, username, password, hash, search } = new URL(text);
  const scheme = protocol.slice(0, -1);
  const user = password === '' ? username : `${username}:${password}`;
  return [
    ...(scheme === 'https'
      ? []
      : [invalid(field, scheme, `'https' is the only allowed URL scheme${form}`)]),
    ...(host === '' ? [invalid(field, host, `host must be specified${form}`)] : []),
    ...(user === '' ? [] : [invalid(field, user, 'user information is not permitted in the URL')]),
    ...(hash.length > 1
      ? [invalid(field, hash.slice(1), 'fragments are not permitted in the URL')]
      : []),
    ...(search.length > 1
      ? [invalid(field, search.slice(1), 'query parameters are not permitted in the URL')]
      : []),
  ];
}

function validateService(
  { name = '', namespace = '', path = '/', port = 443 }: Partial<ServiceReference>,
  field: string,
): FieldError[] {
  const ports = validatePortNumber(port);
  return [
    // A real server swaps the two names here.
    ...(namespace === '' ? [required(`${field}.name`)] : []),
    ...(name === '' ? [required(`${field}.namespace`)] : []),
    ...(ports.length === 0
      ? []
      : [invalid(`${field}.port`, port, `port is not valid: ${ports.join(', ')}`)]),
    ...validatePath(path, `${field}.path`),
  ];
}

function validatePath(path: string, field: string): FieldError[] {
  if (path === '/' || path === '') return [];
  if (path === '//') return [invalid(field, path, 'segment[0] may not be empty')];
  const segments = path.slice(1).replace(/\/$/, '').split('/');
  return [
    ...(path.startsWith('/') ? [] : [invalid(field, path, "must start with a '/'")]),
    ...segments.flatMap((segment, index) =>
      segment === ''
        ? [invalid(field, path, `segment[${index}] may not be empty`)]
        : validateDns1123Subdomain(segment).map((message) =>
            invalid(field, path, `segment[${index}]: ${message}`),
          ),
    ),
  ];
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CertificateAuthority } from '@client-ts/apiserver';
import { systemClock } from 'client-ts/internal';
import type { Manifest } from 'client-ts/manifests';
import { OptionError } from 'client-ts/meta';
import { type WebhookAddress, Webhooks, WebhookServer } from 'client-ts/webhook';

import { readSeeds, type Seed } from './seeds.ts';

/** Webhooks of a test bed, if the handlers alone do not say everything. */
export interface TestBedWebhooks {
  /** The handlers, which the bed serves over TLS. */
  readonly handlers?: Webhooks | undefined;
  /** Where a webhook server of your own listens: `https://127.0.0.1:9443`. */
  readonly url?: string | undefined;
  /** The CA of that server in PEM form. Default: those that Node trusts. */
  readonly caBundle?: string | undefined;
  /**
   * Your webhook configurations. Paths are kept; services, URLs and CAs are replaced by the local
   * ones. Default: the configurations of the handlers.
   */
  readonly manifests?: readonly Seed[] | undefined;
}

type Address = WebhookAddress & { readonly url: string };

/** Where webhooks are served in this process, and what the API server has to know of them. */
export class BedWebhooks implements AsyncDisposable {
  readonly #handlers: Webhooks | undefined;
  readonly #manifests: readonly Manifest[] | undefined;
  readonly #address: Address;
  readonly #stop: () => Promise<void>;

  private constructor(
    handlers: Webhooks | undefined,
    manifests: readonly Manifest[] | undefined,
    address: Address,
    stop: () => Promise<void>,
  ) {
    this.#handlers = handlers;
    this.#manifests = manifests;
    this.#address = address;
    this.#stop = stop;
  }

  /** Serves the handlers. Nothing is left running if that fails. */
  static async start(options: TestBedWebhooks | Webhooks): Promise<BedWebhooks> {
    const { handlers, url, caBundle, manifests }: TestBedWebhooks =
      options instanceof Webhooks ? { handlers: options } : options;
    const configurations = manifests && (await readSeeds('webhooks.manifests', manifests));
    if (handlers === undefined && (url === undefined || manifests === undefined)) {
      const missing = url === undefined ? 'needs handlers or the url of a server' : needsManifests;
      throw new OptionError('webhooks', missing);
    }
    if (url !== undefined || handlers === undefined) {
      const address = { url: checkedUrl(url ?? ''), caBundle };
      return new BedWebhooks(handlers, configurations, address, () => Promise.resolve());
    }
    const { address, stop } = await serve(handlers);
    return new BedWebhooks(handlers, configurations, address, stop);
  }

  /** The configuration objects, with the local address. */
  configurations(): Manifest[] {
    if (this.#manifests !== undefined) return this.#manifests.map((object) => this.#here(object));
    const options = { name: 'test-bed', ...this.#address };
    const { validatingConfiguration, mutatingConfiguration } = {
      validatingConfiguration: this.#handlers?.validatingConfiguration(options),
      mutatingConfiguration: this.#handlers?.mutatingConfiguration(options),
    };
    return [validatingConfiguration, mutatingConfiguration].filter(
      (object) => (object?.webhooks ?? []).length > 0,
    ) as unknown as Manifest[];
  }

  /** Returns a CRD with the conversion that the handlers have for it, or its own one made local. */
  converted(definition: Manifest): Manifest {
    if (definition.kind !== 'CustomResourceDefinition') return definition;
    const spec = definition['spec'] as DefinitionSpec;
    const groupKind = { group: spec.group, kind: spec.names.kind };
    if (this.#handlers?.hasConversion(groupKind) === true) {
      const conversion = this.#handlers.conversionOf(groupKind, this.#address);
      return { ...definition, spec: { ...spec, conversion } };
    }
    const { conversion } = spec;
    if (conversion?.webhook?.clientConfig === undefined) return definition;
    const clientConfig = this.#local(conversion.webhook.clientConfig);
    const webhook = { ...conversion.webhook, clientConfig };
    return { ...definition, spec: { ...spec, conversion: { ...conversion, webhook } } };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
  }

  #here(object: Manifest): Manifest {
    const webhooks = object['webhooks'] as { readonly clientConfig: ClientConfig }[] | undefined;
    if (webhooks === undefined) return object;
    return {
      ...object,
      webhooks: webhooks.map((webhook) => ({
        ...webhook,
        clientConfig: this.#local(webhook.clientConfig),
      })),
    };
  }

  #local({ service, url }: ClientConfig): ClientConfig {
    const path = url === undefined ? (service?.path ?? '/') : new URL(url).pathname;
    const { caBundle } = this.#address;
    return {
      url: `${this.#address.url}${path}`,
      ...(caBundle !== undefined && { caBundle: Buffer.from(caBundle).toString('base64') }),
    };
  }
}

const needsManifests = 'a url needs manifests, or handlers whose configurations are registered';

/** Returns a URL without a slash at its end. Servers call webhooks over TLS only. */
function checkedUrl(text: string): string {
  if (!URL.canParse(text) || new URL(text).protocol !== 'https:') {
    throw new OptionError('webhooks.url', `${JSON.stringify(text)} is not an https URL`);
  }
  return text.replace(/\/$/, '');
}

interface ClientConfig {
  readonly service?: { readonly path?: string };
  readonly url?: string;
  readonly caBundle?: string;
}

interface DefinitionSpec {
  readonly group: string;
  readonly names: { readonly kind: string };
  readonly conversion?: {
    readonly webhook?: { readonly clientConfig?: ClientConfig };
  };
}

const host = '127.0.0.1';

/** Serves handlers on a free local port, with a certificate that lives as long. */
async function serve(
  handlers: Webhooks,
): Promise<{ readonly address: Address; readonly stop: () => Promise<void> }> {
  const authority = new CertificateAuthority({ clock: systemClock });
  const { certificate, key } = authority.issueServerCertificate([host]);
  const certDir = await mkdtemp(join(tmpdir(), 'client-ts-test-bed-'));
  const server = new WebhookServer(handlers, { certDir, port: 0, host });
  const stop = async (): Promise<void> => {
    await server.close();
    await rm(certDir, { recursive: true, force: true });
  };
  try {
    await writeFile(join(certDir, 'tls.crt'), certificate);
    await writeFile(join(certDir, 'tls.key'), key, { mode: 0o600 });
    await server.start();
  } catch (error) {
    await stop();
    throw error;
  }
  const url = `https://${host}:${server.port}`;
  return { address: { url, caBundle: authority.certificate }, stop };
}

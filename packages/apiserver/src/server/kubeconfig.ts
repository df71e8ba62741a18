import { stringify } from 'yaml';

/** What stands in a kubeconfig about one server and one user. */
export interface KubeconfigSource {
  readonly server: string;
  readonly certificateAuthorityData?: string;
  readonly token: string;
}

const NAME = 'client-ts';

/** A kubeconfig with one cluster, one user and one context, as YAML. */
export function formatKubeconfig({
  server,
  certificateAuthorityData,
  token,
}: KubeconfigSource): string {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: NAME,
        cluster: {
          server,
          ...(certificateAuthorityData !== undefined && {
            'certificate-authority-data': Buffer.from(certificateAuthorityData).toString('base64'),
          }),
        },
      },
    ],
    users: [{ name: NAME, user: { token } }],
    contexts: [{ name: NAME, context: { cluster: NAME, user: NAME, namespace: 'default' } }],
    'current-context': NAME,
  };
  // Clients read YAML 1.1, in which a token such as `yes` has to be quoted.
  return stringify(config, { version: '1.1' });
}

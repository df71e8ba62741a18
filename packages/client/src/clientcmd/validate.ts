import { ConfigError } from './config-error.ts';
import type { Cluster, ExecConfig, FromFile, User } from './kubeconfig.ts';

/** Throws what is wrong with a cluster that is about to be used; names file, stanza and field. */
export function checkCluster({ value, origin }: FromFile<Cluster>, name: string): void {
  const at = `${origin}: cluster ${JSON.stringify(name)}`;
  if (value.server === '') throw invalid(at, 'server', 'must be set');
  if (!URL.canParse(value.server.includes('://') ? value.server : `https://${value.server}`)) {
    throw invalid(at, 'server', 'is not a URL');
  }
  if (value.certificateAuthority !== '' && value.certificateAuthorityData !== '') {
    throw invalid(at, 'certificate-authority', 'and certificate-authority-data cannot both be set');
  }
  const hasAuthority = value.certificateAuthority !== '' || value.certificateAuthorityData !== '';
  if (value.insecureSkipTlsVerify && hasAuthority) {
    throw invalid(at, 'insecure-skip-tls-verify', 'and a certificate authority cannot both be set');
  }
  if (value.proxyUrl !== '' && !/^(https?|socks5):\/\//i.test(value.proxyUrl)) {
    throw invalid(at, 'proxy-url', 'must start with http://, https:// or socks5://');
  }
}

/** The same for a user. */
export function checkUser({ value, origin }: FromFile<User>, name: string): void {
  const at = `${origin}: user ${JSON.stringify(name)}`;
  checkEither(at, 'client-certificate', value.clientCertificate, value.clientCertificateData);
  checkEither(at, 'client-key', value.clientKey, value.clientKeyData);
  const hasCertificate = value.clientCertificate !== '' || value.clientCertificateData !== '';
  const hasKey = value.clientKey !== '' || value.clientKeyData !== '';
  if (hasCertificate && !hasKey) {
    throw invalid(at, 'client-key-data', 'or client-key must be set to use the client certificate');
  }
  const methods: string[] = [];
  if (value.token !== '' || value.tokenFile !== '') methods.push('token');
  if (value.username !== '' || value.password !== '') methods.push('username and password');
  if (value.exec !== undefined && value.authProvider !== undefined) {
    throw invalid(at, 'exec', 'and auth-provider cannot both be set');
  }
  if (methods.length > 1) {
    throw invalid(
      at,
      'token',
      `and ${methods[1]} cannot both be set; keep one way to authenticate`,
    );
  }
  const impersonates =
    value.impersonateUid !== '' ||
    value.impersonateGroups.length > 0 ||
    Object.keys(value.impersonateExtra).length > 0;
  if (impersonates && value.impersonate === '') {
    throw invalid(at, 'as', 'must be set to impersonate a uid, groups or extras');
  }
  if (value.exec !== undefined) checkExec(`${at}: exec`, value.exec);
}

const EXEC_VERSIONS = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];

function checkExec(at: string, { command, apiVersion, env }: ExecConfig): void {
  if (command === '') throw invalid(at, 'command', 'must be set');
  if (!EXEC_VERSIONS.includes(apiVersion)) {
    const given =
      apiVersion === '' ? 'must be set' : `${JSON.stringify(apiVersion)} is not supported`;
    throw invalid(at, 'apiVersion', `${given}; use ${EXEC_VERSIONS.join(' or ')}`);
  }
  for (const [index, variable] of env.entries()) {
    if (variable.name === '') throw invalid(at, `env[${index}].name`, 'must be set');
  }
}

function checkEither(at: string, field: string, file: string, data: string): void {
  if (file !== '' && data !== '') throw invalid(at, field, `and ${field}-data cannot both be set`);
}

function invalid(at: string, field: string, problem: string): ConfigError {
  return new ConfigError('CONFIG_INVALID', `${at}: ${field} ${problem}`);
}

import type { ConfigOverrides } from 'client-ts/clientcmd';
import type { Config } from 'client-ts/transport';

import type { ConnectionValues } from './connection-flags.ts';
import { type CommandContext, environmentOf } from './context.ts';
import { printable } from './printable.ts';
import { stylesFor } from './styles.ts';
import { versionOfCommand } from './version.ts';

/**
 * Returns the config that the flags, the environment and the kubeconfig select, by kubectl's rules.
 * Server warnings go to standard error, each once.
 */
export async function configFor(
  flags: ConnectionValues,
  context: CommandContext,
  overrides: Pick<ConfigOverrides, 'namespace'> = {},
): Promise<Config> {
  const { loadConfig } = await import('client-ts/clientcmd');
  const config = await loadConfig({
    ...overridesOf(flags),
    ...overrides,
    ...(flags.kubeconfig !== undefined && { kubeconfig: flags.kubeconfig }),
    env: environmentOf(context),
  });
  const timeout = flags['request-timeout'] ?? 0;
  const level = flags.v ?? 0;
  return {
    ...config,
    ...(level > 0 && {
      attemptMiddleware: [
        ...(config.attemptMiddleware ?? []),
        (await import('./request-log.ts')).requestLog(level, config.server, context),
      ],
    }),
    userAgent: `client-ts/${await versionOfCommand()}`,
    ...(timeout > 0 && { timeoutMs: timeout }),
    onWarning: warnOnce(context),
  };
}

function overridesOf(flags: ConnectionValues): ConfigOverrides {
  const groups = flags['as-group'];
  return {
    ...(flags.context !== undefined && { context: flags.context }),
    ...(flags.cluster !== undefined && { cluster: flags.cluster }),
    ...(flags.user !== undefined && { user: flags.user }),
    ...(flags.server !== undefined && { server: flags.server }),
    ...(flags.token !== undefined && { token: flags.token }),
    ...(flags['client-certificate'] !== undefined && {
      clientCertificate: flags['client-certificate'],
    }),
    ...(flags['client-key'] !== undefined && { clientKey: flags['client-key'] }),
    ...(flags['certificate-authority'] !== undefined && {
      certificateAuthority: flags['certificate-authority'],
    }),
    ...(flags['insecure-skip-tls-verify'] && { insecureSkipTlsVerify: true }),
    ...(flags['tls-server-name'] !== undefined && { tlsServerName: flags['tls-server-name'] }),
    ...(flags.as !== undefined && { as: flags.as }),
    ...(flags['as-uid'] !== undefined && { asUid: flags['as-uid'] }),
    ...(groups.length > 0 && { asGroups: groups }),
  };
}

function warnOnce(context: CommandContext): NonNullable<Config['onWarning']> {
  const { yellow } = stylesFor(context.stderr);
  const seen = new Set<string>();
  return ({ text }) => {
    if (seen.has(text)) return;
    seen.add(text);
    context.err(`${yellow('Warning:')} ${printable(text)}`);
  };
}

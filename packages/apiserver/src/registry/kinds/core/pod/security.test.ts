import { describe, it } from 'node:test';

import { type Part, TestKind } from '../../../../testing/test-kind.ts';

const PODS = '/api/v1/namespaces/default/pods';
const CONTAINER = { name: 'main', image: 'registry.example.com/app:1' };
const POD = { metadata: { name: 'p' }, spec: { containers: [CONTAINER] } };

const pods = (): TestKind => new TestKind(PODS, POD);
const inSpec = (spec: object): { spec: object } => ({ spec });

describe('the security rules of a pod', () => {
  const inContainer = (securityContext: object): { spec: object } =>
    inSpec({ containers: [{ ...CONTAINER, securityContext }] });

  it('reject invalid pod security contexts', async () => {
    using kind = pods();
    const context = (securityContext: object): { spec: object } => inSpec({ securityContext });
    await kind.refusesToCreate([
      [
        context({ runAsUser: -1, runAsGroup: -1, fsGroup: -1, supplementalGroups: [-1] }),
        'spec.securityContext.fsGroup: Invalid value: -1: must be between 0 and 2147483647, inclusive',
        'spec.securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive',
        'spec.securityContext.runAsGroup: Invalid value: -1: must be between 0 and 2147483647, inclusive',
        'spec.securityContext.supplementalGroups[0]: Invalid value: -1: must be between 0 and 2147483647, inclusive',
      ],
      [
        context({ fsGroupChangePolicy: 'X', supplementalGroupsPolicy: 'X' }),
        'spec.securityContext.fsGroupChangePolicy: Unsupported value: "X": supported values: "Always", "OnRootMismatch"',
        'spec.securityContext.supplementalGroupsPolicy: Unsupported value: "X": supported values: "Merge", "Strict"',
      ],
      [
        context({
          sysctls: [
            { name: '', value: 'x' },
            { name: 'A', value: 'x' },
            { name: 'a.b', value: 'x' },
            { name: 'a/b', value: 'x' },
          ],
        }),
        'spec.securityContext.sysctls[0].name: Required value',
        'spec.securityContext.sysctls[1].name: Invalid value: "A": must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$',
      ],
      [
        context({ seccompProfile: { type: 'Localhost' } }),
        'spec.securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost',
      ],
      [
        context({ seccompProfile: { type: 'RuntimeDefault', localhostProfile: 'x' } }),
        'spec.securityContext.seccompProfile.localhostProfile: Invalid value: {"type":"RuntimeDefault","localhostProfile":"x"}: can only be set when seccomp type is Localhost',
      ],
      [
        context({ seccompProfile: { type: 'X' } }),
        'spec.securityContext.seccompProfile.type: Unsupported value: "X": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
      ],
      [
        context({ seccompProfile: { type: 'Localhost', localhostProfile: '../x' } }),
        'spec.securityContext.seccompProfile.localhostProfile: Invalid value: "../x": must not contain \'..\'',
      ],
      [
        context({ appArmorProfile: { type: 'Localhost' } }),
        'spec.securityContext.appArmorProfile.localhostProfile: Required value: must be set when AppArmor type is Localhost',
      ],
      [
        context({ appArmorProfile: { type: 'X' } }),
        'spec.securityContext.appArmorProfile.type: Unsupported value: "X": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
      ],
      [
        context({ appArmorProfile: { type: 'Localhost', localhostProfile: ' x ' } }),
        'spec.securityContext.appArmorProfile.localhostProfile: Invalid value: " x ": must not be padded with whitespace',
      ],
      [
        context({ appArmorProfile: { type: 'Unconfined', localhostProfile: 'x' } }),
        'spec.securityContext.appArmorProfile.localhostProfile: Invalid value: "x": can only be set when AppArmor type is Localhost',
      ],
      [
        context({ windowsOptions: { hostProcess: true } }),
        'spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers',
      ],
      [
        inSpec({ shareProcessNamespace: true, hostPID: true }),
        'spec.securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled',
      ],
      [
        inSpec({ hostUsers: false, hostNetwork: true }),
        'spec.hostNetwork: Forbidden: when `hostUsers` is false',
      ],
    ]);
  });

  it('reject invalid container security contexts', async () => {
    using kind = pods();
    await kind.refusesToCreate([
      [
        inContainer({ runAsUser: -1, runAsGroup: -1 }),
        'spec.containers[0].securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive',
        'spec.containers[0].securityContext.runAsGroup: Invalid value: -1: must be between 0 and 2147483647, inclusive',
      ],
      [
        inContainer({ procMount: 'X' }),
        'spec.containers[0].securityContext.procMount: Unsupported value: "X": supported values: "Default", "Unmasked"',
      ],
      [
        inContainer({ procMount: 'Unmasked' }),
        'spec.containers[0].securityContext.procMount: Invalid value: "Unmasked": `hostUsers` must be false to use `Unmasked`',
      ],
      [
        inContainer({ privileged: true, allowPrivilegeEscalation: false }),
        'spec.containers[0].securityContext: Invalid value: {"privileged":true,"allowPrivilegeEscalation":false}: cannot set `allowPrivilegeEscalation` to false and `privileged` to true',
      ],
      [
        inContainer({ allowPrivilegeEscalation: false, capabilities: { add: ['CAP_SYS_ADMIN'] } }),
        'spec.containers[0].securityContext: Invalid value: {"capabilities":{"add":["CAP_SYS_ADMIN"]},"allowPrivilegeEscalation":false}: cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN',
      ],
      [
        inContainer({ seccompProfile: { type: 'X' } }),
        'spec.containers[0].securityContext.seccompProfile.type: Unsupported value: "X": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
      ],
      [
        inContainer({ appArmorProfile: { type: 'Localhost', localhostProfile: 'x'.repeat(4096) } }),
        'spec.containers[0].securityContext.appArmorProfile.localhostProfile: Too long: may not be more than 4095 bytes',
      ],
    ]);
  });

  it('reject annotations that contradict fields', async () => {
    using kind = pods();
    const annotated = (annotations: object, spec: object = {}): Part => ({
      metadata: { annotations },
      spec,
    });
    const appArmor = 'container.apparmor.security.beta.kubernetes.io/';
    await kind.refusesToCreate([
      [
        annotated({ [`${appArmor}x`]: 'runtime/default' }),
        'metadata.annotations[container.apparmor.security.beta.kubernetes.io/x]: Invalid value: "x": container not found',
      ],
      [
        annotated({ [`${appArmor}main`]: 'x' }),
        'metadata.annotations[container.apparmor.security.beta.kubernetes.io/main]: Invalid value: "x": invalid AppArmor profile name: "x"',
      ],
      [
        annotated(
          { [`${appArmor}main`]: 'unconfined' },
          {
            containers: [
              { ...CONTAINER, securityContext: { appArmorProfile: { type: 'RuntimeDefault' } } },
            ],
          },
        ),
        'spec.containers[0].securityContext.appArmorProfile.type: Forbidden: apparmor type in annotation and field must match',
      ],
      [
        annotated({ 'seccomp.security.alpha.kubernetes.io/pod': 'x' }),
        'metadata.annotations.seccomp.security.alpha.kubernetes.io/pod: Invalid value: "x": must be a valid seccomp profile',
      ],
      [
        annotated({ 'container.seccomp.security.alpha.kubernetes.io/main': 'localhost/../x' }),
        'metadata.annotations.container.seccomp.security.alpha.kubernetes.io/main: Invalid value: "../x": must not contain \'..\'',
      ],
      [
        annotated({ 'kubernetes.io/config.mirror': 'x' }),
        'metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set',
      ],
      [
        annotated({ 'controller.kubernetes.io/pod-deletion-cost': 'x' }),
        'metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "x": must be a 32bit integer',
      ],
    ]);
  });

  it('reject Linux fields on Windows, and Windows fields on Linux', async () => {
    using kind = pods();
    const windows = (spec: object): { spec: object } =>
      inSpec({ os: { name: 'windows' }, ...spec });
    await kind.refusesToCreate([
      [
        windows({ hostPID: true, hostIPC: true, shareProcessNamespace: true, hostUsers: false }),
        'spec.securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled',
        'spec.HostPID: Forbidden: when `hostUsers` is false',
        'spec.HostIPC: Forbidden: when `hostUsers` is false',
        'spec.hostUsers: Forbidden: cannot be set for a windows pod',
        'spec.hostPID: Forbidden: cannot be set for a windows pod',
        'spec.hostIPC: Forbidden: cannot be set for a windows pod',
        'spec.shareProcessNamespace: Forbidden: cannot be set for a windows pod',
      ],
      [
        windows({
          securityContext: {
            runAsUser: 1,
            fsGroup: 1,
            supplementalGroups: [1],
            sysctls: [{ name: 'a', value: 'b' }],
            seLinuxOptions: {},
            seccompProfile: { type: 'Unconfined' },
          },
        }),
        'spec.securityContext.seLinuxOptions: Forbidden: cannot be set for a windows pod',
        'spec.securityContext.seccompProfile: Forbidden: cannot be set for a windows pod',
        'spec.securityContext.fsGroup: Forbidden: cannot be set for a windows pod',
        'spec.securityContext.sysctls: Forbidden: cannot be set for a windows pod',
        'spec.securityContext.runAsUser: Forbidden: cannot be set for a windows pod',
        'spec.securityContext.supplementalGroups: Forbidden: cannot be set for a windows pod',
      ],
      [
        windows({
          containers: [
            {
              ...CONTAINER,
              securityContext: {
                privileged: true,
                readOnlyRootFilesystem: true,
                capabilities: {},
                procMount: 'Default',
                runAsGroup: 1,
                allowPrivilegeEscalation: true,
              },
            },
          ],
        }),
        'spec.containers[0].securityContext.capabilities: Forbidden: cannot be set for a windows pod',
        'spec.containers[0].securityContext.readOnlyRootFilesystem: Forbidden: cannot be set for a windows pod',
        'spec.containers[0].securityContext.privileged: Forbidden: cannot be set for a windows pod',
        'spec.containers[0].securityContext.allowPrivilegeEscalation: Forbidden: cannot be set for a windows pod',
        'spec.containers[0].securityContext.procMount: Forbidden: cannot be set for a windows pod',
        'spec.containers[0].securityContext.runAsGroup: Forbidden: cannot be set for a windows pod',
      ],
      [
        windows({ securityContext: { windowsOptions: { hostProcess: true } } }),
        'spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers',
      ],
      [
        windows({
          securityContext: { windowsOptions: { gmsaCredentialSpecName: 'A', runAsUserName: '' } },
        }),
        "spec.securityContext.windowsOptions.gmsaCredentialSpecName: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        'spec.securityContext.windowsOptions.runAsUserName: Invalid value: "": runAsUserName cannot be an empty string',
      ],
      [
        windows({
          securityContext: { windowsOptions: { runAsUserName: 'a\\b\\c', gmsaCredentialSpec: '' } },
        }),
        'spec.securityContext.windowsOptions.gmsaCredentialSpec: Invalid value: "": gmsaCredentialSpec cannot be an empty string',
        'spec.securityContext.windowsOptions.runAsUserName: Invalid value: "a\\\\b\\\\c": runAsUserName cannot contain more than one backslash',
      ],
      [
        inSpec({
          os: { name: 'linux' },
          securityContext: { windowsOptions: {} },
          containers: [{ ...CONTAINER, securityContext: { windowsOptions: {} } }],
        }),
        'spec.securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod',
        'spec.containers[0].securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod',
      ],
    ]);
  });
});

import { describe, it } from 'node:test';

import { TestKind } from '../../../../testing/test-kind.ts';

const PODS = '/api/v1/namespaces/default/pods';
const CONTAINER = { name: 'main', image: 'registry.example.com/app:1' };
const POD = { metadata: { name: 'p' }, spec: { containers: [CONTAINER] } };

const pods = (): TestKind => new TestKind(PODS, POD);
const inSpec = (spec: object): { spec: object } => ({ spec });

const volume = (source: object): { spec: object } =>
  inSpec({ volumes: [{ name: 'v', ...source }] });

describe('the volumes of a pod', () => {
  it('reject invalid sources', async () => {
    using kind = pods();
    await kind.refusesToCreate([
      [
        inSpec({ volumes: [{ name: 'A', emptyDir: {} }] }),
        "spec.volumes[0].name: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      ],
      [inSpec({ volumes: [{ emptyDir: {} }] }), 'spec.volumes[0].name: Required value'],
      [
        volume({ emptyDir: { sizeLimit: '-1' } }),
        'spec.volumes[0].emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity',
      ],
      [
        volume({ hostPath: { path: '/a/../b', type: 'X' } }),
        'spec.volumes[0].hostPath.path: Invalid value: "/a/../b": must not contain \'..\'',
        'spec.volumes[0].hostPath.type: Unsupported value: "X": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"',
      ],
      [
        volume({ gitRepo: { directory: '/x' } }),
        'spec.volumes[0].gitRepo.repository: Required value',
        'spec.volumes[0].gitRepo.directory: Invalid value: "/x": must be a relative path',
      ],
      [
        volume({ gcePersistentDisk: { partition: 256 } }),
        'spec.volumes[0].persistentDisk.pdName: Required value',
        'spec.volumes[0].persistentDisk.partition: Invalid value: 256: must be between 1 and 255, inclusive',
      ],
      [
        volume({ awsElasticBlockStore: {} }),
        'spec.volumes[0].awsElasticBlockStore.volumeID: Required value',
      ],
      [
        volume({ secret: { secretName: 's', defaultMode: 512, items: [{ key: '', path: '' }] } }),
        'spec.volumes[0].secret.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive',
        'spec.volumes[0].secret.items[0].key: Required value',
        'spec.volumes[0].secret.items[0].path: Required value',
      ],
      [
        volume({ configMap: { name: 'c', items: [{ key: 'k', path: '/x', mode: -1 }] } }),
        'spec.volumes[0].configMap.items[0].path: Invalid value: "/x": must be a relative path',
        'spec.volumes[0].configMap.items[0].mode: Invalid value: -1: must be a number between 0 and 0777 (octal), both inclusive',
      ],
      [
        volume({ nfs: {} }),
        'spec.volumes[0].nfs.server: Required value',
        'spec.volumes[0].nfs.path: Required value',
        'spec.volumes[0].nfs.path: Invalid value: "": must be an absolute path',
      ],
      [
        volume({ iscsi: {} }),
        'spec.volumes[0].iscsi.targetPortal: Required value',
        'spec.volumes[0].iscsi.iqn: Required value',
      ],
      [
        volume({ iscsi: { targetPortal: 'p', iqn: 'x', lun: 256, chapAuthSession: true } }),
        'spec.volumes[0].iscsi.iqn: Invalid value: "x": must be valid format starting with iqn, eui, or naa',
        'spec.volumes[0].iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive',
        'spec.volumes[0].iscsi.secretRef: Required value',
      ],
      [
        volume({
          iscsi: {
            targetPortal: 'p',
            iqn: 'iqn.2001-04.com.example:storage',
            lun: 0,
            initiatorName: 'x',
          },
        }),
        'spec.volumes[0].iscsi.initiatorname: Invalid value: "x": must be valid format starting with iqn, eui, or naa',
      ],
      [
        volume({ glusterfs: {} }),
        'spec.volumes[0].glusterfs.endpoints: Required value',
        'spec.volumes[0].glusterfs.path: Required value',
      ],
      [
        volume({ flocker: {} }),
        'spec.volumes[0].flocker: Required value: one of datasetName and datasetUUID is required',
      ],
      [
        volume({ flocker: { datasetName: 'a/b', datasetUUID: 'x' } }),
        'spec.volumes[0].flocker: Invalid value: "resource": datasetName and datasetUUID can not be specified simultaneously',
        'spec.volumes[0].flocker.datasetName: Invalid value: "a/b": must not contain \'/\'',
      ],
      [
        volume({ rbd: {} }),
        'spec.volumes[0].rbd.monitors: Required value',
        'spec.volumes[0].rbd.image: Required value',
      ],
      [
        volume({ cinder: { secretRef: {} } }),
        'spec.volumes[0].cinder.volumeID: Required value',
        'spec.volumes[0].cinder.secretRef.name: Required value',
      ],
      [volume({ cephfs: {} }), 'spec.volumes[0].cephfs.monitors: Required value'],
      [
        volume({ quobyte: {} }),
        'spec.volumes[0].quobyte.registry: Required value: must be a host:port pair or multiple pairs separated by commas',
        'spec.volumes[0].quobyte.volume: Required value',
      ],
      [
        volume({ quobyte: { registry: 'x', tenant: 'x'.repeat(65) } }),
        'spec.volumes[0].quobyte.tenant: Required value: must be a UUID and may not exceed a length of 64 characters',
        'spec.volumes[0].quobyte.volume: Required value',
      ],
      [
        volume({ fc: {} }),
        'spec.volumes[0].fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both',
      ],
      [
        volume({ fc: { targetWWNs: ['a'], wwids: ['b'] } }),
        'spec.volumes[0].fc.targetWWNs: Invalid value: ["a"]: targetWWNs and wwids can not be specified simultaneously',
        'spec.volumes[0].fc.lun: Required value: lun is required if targetWWNs is specified',
      ],
      [
        volume({ fc: { targetWWNs: ['a'], lun: 256 } }),
        'spec.volumes[0].fc.lun: Invalid value: 256: must be between 0 and 255, inclusive',
      ],
      [
        volume({ flexVolume: { options: { 'kubernetes.io/x': 'y' } } }),
        'spec.volumes[0].flexVolume.driver: Required value',
        'spec.volumes[0].flexVolume.options[kubernetes.io/x]: Invalid value: "kubernetes.io/x": kubernetes.io and k8s.io namespaces are reserved',
      ],
      [
        volume({ azureFile: {} }),
        'spec.volumes[0].azureFile.secretName: Required value',
        'spec.volumes[0].azureFile.shareName: Required value',
      ],
      [
        volume({ azureDisk: { diskName: 'd', diskURI: 'x', cachingMode: 'X', kind: 'X' } }),
        'spec.volumes[0].azureDisk.cachingMode: Unsupported value: "X": supported values: "None", "ReadOnly", "ReadWrite"',
        'spec.volumes[0].azureDisk.kind: Unsupported value: "X": supported values: "Dedicated", "Managed", "Shared"',
        'spec.volumes[0].azureDisk.diskURI: Unsupported value: "x": supported values: "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"',
      ],
      [
        volume({ azureDisk: { diskName: 'd', diskURI: 'x', kind: 'Managed' } }),
        'spec.volumes[0].azureDisk.diskURI: Unsupported value: "x": supported values: "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"',
      ],
      [volume({ vsphereVolume: {} }), 'spec.volumes[0].vsphereVolume.volumePath: Required value'],
      [
        volume({ photonPersistentDisk: {} }),
        'spec.volumes[0].photonPersistentDisk.pdID: Required value',
      ],
      [volume({ portworxVolume: {} }), 'spec.volumes[0].portworxVolume.volumeID: Required value'],
      [
        volume({ scaleIO: {} }),
        'spec.volumes[0].scaleIO.gateway: Required value',
        'spec.volumes[0].scaleIO.system: Required value',
        'spec.volumes[0].scaleIO.volumeName: Required value',
      ],
      [
        volume({ storageos: { volumeNamespace: 'A', secretRef: {} } }),
        'spec.volumes[0].storageos.volumeName: Required value',
        "spec.volumes[0].storageos.volumeNamespace: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
        'spec.volumes[0].storageos.secretRef.name: Required value',
      ],
      [volume({ csi: { driver: '' } }), 'spec.volumes[0].csi.driver: Required value'],
      [
        volume({ csi: { driver: 'd', nodePublishSecretRef: { name: '' } } }),
        'spec.volumes[0].csi.nodePublishSecretRef.name: Required value',
      ],
      [
        volume({ image: { pullPolicy: 'X' } }),
        'spec.volumes[0].image.reference: Required value',
        'spec.volumes[0].image.pullPolicy: Unsupported value: "X": supported values: "Always", "IfNotPresent", "Never"',
      ],
      [
        volume({ downwardAPI: { defaultMode: 512, items: [{ path: '' }] } }),
        'spec.volumes[0].downwardAPI.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive',
        'spec.volumes[0].downwardAPI.path: Required value',
        'spec.volumes[0].downwardAPI: Required value: one of fieldRef and resourceFieldRef is required',
      ],
      [
        volume({
          downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: 'x' }, mode: 512 }] },
        }),
        'spec.volumes[0].downwardAPI.fieldRef.fieldPath: Invalid value: "x": error converting fieldPath: field label not supported: x',
        'spec.volumes[0].downwardAPI.mode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive',
      ],
      [volume({ ephemeral: {} }), 'spec.volumes[0].ephemeral.volumeClaimTemplate: Required value'],
      [
        volume({ ephemeral: { volumeClaimTemplate: { metadata: { name: 'x' }, spec: {} } } }),
        'spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot be set',
        'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.accessModes: Required value: at least 1 access mode is required',
        'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources[storage]: Required value',
      ],
    ]);
  });

  it('reject invalid claim templates', async () => {
    using kind = pods();
    await kind.created(
      volume({
        ephemeral: {
          volumeClaimTemplate: {
            metadata: { labels: { a: 'b' }, annotations: { c: 'd' } },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        },
      }),
    );
  });

  it('reject invalid projected sources', async () => {
    using kind = pods();
    const projected = (...sources: object[]): { spec: object } =>
      volume({ projected: { sources } });
    await kind.refusesToCreate([
      [
        projected({ secret: { name: 's' }, configMap: { name: 'c' } }),
        'spec.volumes[0].projected.sources[0]: Forbidden: may not specify more than 1 volume type per source',
      ],
      [
        projected({ secret: {} }),
        'spec.volumes[0].projected.sources[0].secret.name: Required value',
      ],
      [
        projected({ configMap: { items: [{ key: 'k', path: '' }] } }),
        'spec.volumes[0].projected.sources[0].configMap.name: Required value',
        'spec.volumes[0].projected.sources[0].configMap.items[0].path: Required value',
      ],
      [
        projected({
          downwardAPI: {
            items: [
              { path: 'a', fieldRef: { fieldPath: 'metadata.name' } },
              { path: 'a', fieldRef: { fieldPath: 'metadata.name' } },
            ],
          },
        }),
        'spec.volumes[0].projected: Invalid value: "a": conflicting duplicate paths',
      ],
      [
        projected({ serviceAccountToken: { expirationSeconds: 5 } }),
        'spec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes',
        'spec.volumes[0].projected.path: Required value',
        'spec.volumes[0].projected.sources[0].serviceAccountToken: Forbidden: must not be specified when serviceAccountName is not set',
      ],
      [
        projected({ serviceAccountToken: { path: 't', expirationSeconds: 2 ** 33 } }),
        'spec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 8589934592: may not specify a duration larger than 2^32 seconds',
        'spec.volumes[0].projected.sources[0].serviceAccountToken: Forbidden: must not be specified when serviceAccountName is not set',
      ],
      [
        projected(
          { secret: { name: 's', items: [{ key: 'a', path: 'x' }] } },
          { configMap: { name: 'c', items: [{ key: 'a', path: 'x' }] } },
        ),
        'spec.volumes[0].projected: Invalid value: "c": conflicting duplicate paths',
      ],
      [
        projected({ clusterTrustBundle: { path: '' } }),
        'spec.volumes[0].projected.sources[0].clusterTrustBundle: Required value: either name or signerName must be specified',
        'spec.volumes[0].projected.sources[0].clusterTrustBundle.path: Required value',
      ],
      [
        projected({ clusterTrustBundle: { name: 'a', signerName: 'x.y/z', path: 'p' } }),
        'spec.volumes[0].projected.sources[0].clusterTrustBundle: Invalid value: {"name":"a","signerName":"x.y/z","path":"p"}: only one of name and signerName may be used',
      ],
      [
        projected({ podCertificate: { signerName: 'x', keyType: 'X' } }),
        'spec.volumes[0].projected.sources[0].podCertificate.signerName: Invalid value: "x": must be a fully qualified domain and path of the form \'example.com/signer-name\'',
        'spec.volumes[0].projected.sources[0].podCertificate.keyType: Unsupported value: "X": supported values: "RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"',
        'spec.volumes[0].projected.sources[0].podCertificate: Required value: specify at least one of credentialBundlePath, keyPath, and certificateChainPath',
      ],
    ]);
  });

  it('reject invalid mounts', async () => {
    using kind = pods();
    const mount = (change: object, source: object = { emptyDir: {} }): { spec: object } =>
      inSpec({
        volumes: [{ name: 'v', ...source }],
        containers: [{ ...CONTAINER, volumeMounts: [{ name: 'v', mountPath: '/x', ...change }] }],
      });
    await kind.refusesToCreate([
      [
        mount({ name: '' }),
        'spec.containers[0].volumeMounts[0].name: Required value',
        'spec.containers[0].volumeMounts[0].name: Not found: ""',
      ],
      [mount({ mountPath: '' }), 'spec.containers[0].volumeMounts[0].mountPath: Required value'],
      [
        mount({ subPath: '/a', subPathExpr: 'b' }),
        'spec.containers[0].volumeMounts.subPath: Invalid value: "/a": must be a relative path',
        'spec.containers[0].volumeMounts[0].subPathExpr: Invalid value: "b": subPathExpr and subPath are mutually exclusive',
      ],
      [
        mount({ subPath: '../a' }),
        'spec.containers[0].volumeMounts.subPath: Invalid value: "../a": must not contain \'..\'',
      ],
      [
        mount({ mountPropagation: 'X' }),
        'spec.containers[0].volumeMounts.mountPropagation: Unsupported value: "X": supported values: "Bidirectional", "HostToContainer", "None"',
      ],
      [
        mount({ mountPropagation: 'Bidirectional' }),
        'spec.containers[0].volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers',
      ],
      [
        mount({ recursiveReadOnly: 'Enabled' }),
        'spec.containers[0].volumeMounts.recursiveReadOnly: Forbidden: may only be specified when readOnly is true',
      ],
      [
        mount({ recursiveReadOnly: 'X', readOnly: true }),
        'spec.containers[0].volumeMounts.recursiveReadOnly: Unsupported value: "X": supported values: "Disabled", "Enabled", "IfPossible"',
      ],
      [
        inSpec({
          volumes: [{ name: 'v', emptyDir: {} }],
          containers: [{ ...CONTAINER, volumeDevices: [{ name: 'v', devicePath: '/d' }] }],
        }),
        'spec.containers[0].volumeDevices[0].name: Invalid value: "v": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
      ],
      [
        inSpec({
          volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }],
          containers: [
            {
              ...CONTAINER,
              volumeMounts: [{ name: 'v', mountPath: '/d' }],
              volumeDevices: [
                { name: 'v', devicePath: '/d' },
                { name: 'x', devicePath: '../d' },
                {},
              ],
            },
          ],
        }),
        'spec.containers[0].volumeMounts[0].name: Invalid value: "v": must not already exist in volumeDevices',
        'spec.containers[0].volumeMounts[0].mountPath: Invalid value: "/d": must not already exist as a path in volumeDevices',
        'spec.containers[0].volumeDevices[0].name: Invalid value: "v": must not already exist in volumeMounts',
        'spec.containers[0].volumeDevices[0].devicePath: Invalid value: "/d": must not already exist as a path in volumeMounts',
        'spec.containers[0].volumeDevices[1].name: Not found: "x"',
        'spec.containers[0].volumeDevices[1].devicePath: Invalid value: "../d": can not contain backsteps (\'..\')',
        'spec.containers[0].volumeDevices[2].name: Required value',
        'spec.containers[0].volumeDevices[2].name: Not found: ""',
        'spec.containers[0].volumeDevices[2].devicePath: Required value',
      ],
    ]);
  });
});

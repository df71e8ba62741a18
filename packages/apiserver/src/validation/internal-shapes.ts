/*
 * The fields of the server's own, unversioned types, in order: what its messages print when they
 * show how two objects differ. Each is `Name:type`, or `Name=name:type` where the name in the API does
 * not follow from the first; `+Type` stands for all fields of another type. Types: `*` may be absent,
 * `[` list, `{` map, then a scalar or the name of a type; `json` is printed as the API writes it.
 */

/** Fields by type. */
export const internalShapes: Readonly<Record<string, string>> = {
  AWSElasticBlockStoreVolumeSource: 'VolumeID:string FSType:string Partition:number ReadOnly:bool',
  Affinity: 'NodeAffinity:*NodeAffinity PodAffinity:*PodAffinity PodAntiAffinity:*PodAntiAffinity',
  AppArmorProfile: 'Type:string LocalhostProfile:*string',
  AzureDiskVolumeSource:
    'DiskName:string DataDiskURI=diskURI:string CachingMode:*string FSType:*string ReadOnly:*bool Kind:*string',
  AzureFilePersistentVolumeSource:
    'SecretName:string ShareName:string ReadOnly:bool SecretNamespace:*string',
  AzureFileVolumeSource: 'SecretName:string ShareName:string ReadOnly:bool',
  CSIPersistentVolumeSource:
    'Driver:string VolumeHandle:string ReadOnly:bool FSType:string VolumeAttributes:{ ControllerPublishSecretRef:*SecretReference NodeStageSecretRef:*SecretReference NodePublishSecretRef:*SecretReference ControllerExpandSecretRef:*SecretReference NodeExpandSecretRef:*SecretReference',
  CSIVolumeSource:
    'Driver:string ReadOnly:*bool FSType:*string VolumeAttributes:{ NodePublishSecretRef:*LocalObjectReference',
  Capabilities: 'Add:[string Drop:[string',
  CSINodeDriver: 'Name:string NodeID:string TopologyKeys:[string Allocatable:*VolumeNodeResources',
  CephFSPersistentVolumeSource:
    'Monitors:[string Path:string User:string SecretFile:string SecretRef:*SecretReference ReadOnly:bool',
  CephFSVolumeSource:
    'Monitors:[string Path:string User:string SecretFile:string SecretRef:*LocalObjectReference ReadOnly:bool',
  CinderPersistentVolumeSource:
    'VolumeID:string FSType:string ReadOnly:bool SecretRef:*SecretReference',
  CinderVolumeSource: 'VolumeID:string FSType:string ReadOnly:bool SecretRef:*LocalObjectReference',
  ClusterTrustBundleProjection:
    'Name:*string SignerName:*string LabelSelector:*json Optional:*bool Path:string',
  ConfigMapEnvSource: '+LocalObjectReference Optional:*bool',
  ConfigMapKeySelector: '+LocalObjectReference Key:string Optional:*bool',
  ConfigMapProjection: '+LocalObjectReference Items:[KeyToPath Optional:*bool',
  ConfigMapVolumeSource:
    '+LocalObjectReference Items:[KeyToPath DefaultMode:*number Optional:*bool',
  Container:
    'Name:string Image:string Command:[string Args:[string WorkingDir:string Ports:[ContainerPort EnvFrom:[EnvFromSource Env:[EnvVar Resources:ResourceRequirements ResizePolicy:[ContainerResizePolicy RestartPolicy:*string RestartPolicyRules:[ContainerRestartRule VolumeMounts:[VolumeMount VolumeDevices:[VolumeDevice LivenessProbe:*Probe ReadinessProbe:*Probe StartupProbe:*Probe Lifecycle:*Lifecycle TerminationMessagePath:string TerminationMessagePolicy:string ImagePullPolicy:string SecurityContext:*SecurityContext Stdin:bool StdinOnce:bool TTY:bool',
  ContainerPort: 'Name:string HostPort:number ContainerPort:number Protocol:string HostIP:string',
  ContainerResizePolicy: 'ResourceName:string RestartPolicy:string',
  ContainerRestartRule: 'Action:string ExitCodes:*ContainerRestartRuleOnExitCodes',
  ContainerRestartRuleOnExitCodes: 'Operator:string Values:[number',
  DownwardAPIProjection: 'Items:[DownwardAPIVolumeFile',
  DownwardAPIVolumeFile:
    'Path:string FieldRef:*ObjectFieldSelector ResourceFieldRef:*ResourceFieldSelector Mode:*number',
  DownwardAPIVolumeSource: 'Items:[DownwardAPIVolumeFile DefaultMode:*number',
  EmptyDirVolumeSource: 'Medium:string SizeLimit:*quantity',
  EnvFromSource: 'Prefix:string ConfigMapRef:*ConfigMapEnvSource SecretRef:*SecretEnvSource',
  EnvVar: 'Name:string Value:string ValueFrom:*EnvVarSource',
  EnvVarSource:
    'FieldRef:*ObjectFieldSelector ResourceFieldRef:*ResourceFieldSelector ConfigMapKeyRef:*ConfigMapKeySelector SecretKeyRef:*SecretKeySelector FileKeyRef:*FileKeySelector',
  EphemeralContainer: '+EphemeralContainerCommon TargetContainerName:string',
  EphemeralContainerCommon:
    'Name:string Image:string Command:[string Args:[string WorkingDir:string Ports:[ContainerPort EnvFrom:[EnvFromSource Env:[EnvVar Resources:ResourceRequirements ResizePolicy:[ContainerResizePolicy RestartPolicy:*string RestartPolicyRules:[ContainerRestartRule VolumeMounts:[VolumeMount VolumeDevices:[VolumeDevice LivenessProbe:*Probe ReadinessProbe:*Probe StartupProbe:*Probe Lifecycle:*Lifecycle TerminationMessagePath:string TerminationMessagePolicy:string ImagePullPolicy:string SecurityContext:*SecurityContext Stdin:bool StdinOnce:bool TTY:bool',
  EphemeralVolumeSource: 'VolumeClaimTemplate:*PersistentVolumeClaimTemplate',
  ExecAction: 'Command:[string',
  FCVolumeSource: 'TargetWWNs:[string Lun:*number FSType:string ReadOnly:bool WWIDs=wwids:[string',
  FileKeySelector: 'VolumeName:string Path:string Key:string Optional:*bool',
  FlexPersistentVolumeSource:
    'Driver:string FSType:string SecretRef:*SecretReference ReadOnly:bool Options:{',
  FlexVolumeSource:
    'Driver:string FSType:string SecretRef:*LocalObjectReference ReadOnly:bool Options:{',
  FlockerVolumeSource: 'DatasetName:string DatasetUUID:string',
  GCEPersistentDiskVolumeSource: 'PDName:string FSType:string Partition:number ReadOnly:bool',
  GRPCAction: 'Port:number Service:*string',
  GitRepoVolumeSource: 'Repository:string Revision:string Directory:string',
  GlusterfsPersistentVolumeSource:
    'EndpointsName=endpoints:string Path:string ReadOnly:bool EndpointsNamespace:*string',
  GlusterfsVolumeSource: 'EndpointsName=endpoints:string Path:string ReadOnly:bool',
  HTTPGetAction: 'Path:string Port:int Host:string Scheme:string HTTPHeaders:[HTTPHeader',
  HTTPHeader: 'Name:string Value:string',
  HostAlias: 'IP:string Hostnames:[string',
  HostPathVolumeSource: 'Path:string Type:*string',
  ISCSIPersistentVolumeSource:
    'TargetPortal:string IQN:string Lun:number ISCSIInterface:string FSType:string ReadOnly:bool Portals:[string DiscoveryCHAPAuth=chapAuthDiscovery:bool SessionCHAPAuth=chapAuthSession:bool SecretRef:*SecretReference InitiatorName:*string',
  ISCSIVolumeSource:
    'TargetPortal:string IQN:string Lun:number ISCSIInterface:string FSType:string ReadOnly:bool Portals:[string DiscoveryCHAPAuth=chapAuthDiscovery:bool SessionCHAPAuth=chapAuthSession:bool SecretRef:*LocalObjectReference InitiatorName:*string',
  ImageVolumeSource: 'Reference:string PullPolicy:string',
  KeyToPath: 'Key:string Path:string Mode:*number',
  Lifecycle: 'PostStart:*LifecycleHandler PreStop:*LifecycleHandler StopSignal:*string',
  LifecycleHandler:
    'Exec:*ExecAction HTTPGet:*HTTPGetAction TCPSocket:*TCPSocketAction Sleep:*SleepAction',
  LocalObjectReference: 'Name:string',
  LocalVolumeSource: 'Path:string FSType:*string',
  NFSVolumeSource: 'Server:string Path:string ReadOnly:bool',
  NodeAffinity:
    'RequiredDuringSchedulingIgnoredDuringExecution:*NodeSelector PreferredDuringSchedulingIgnoredDuringExecution:[PreferredSchedulingTerm',
  NodeSelector: 'NodeSelectorTerms:[NodeSelectorTerm',
  NodeSelectorRequirement: 'Key:string Operator:string Values:[string',
  NodeSelectorTerm:
    'MatchExpressions:[NodeSelectorRequirement MatchFields:[NodeSelectorRequirement',
  ObjectFieldSelector: 'APIVersion:string FieldPath:string',
  ObjectReference:
    'Kind:string Namespace:string Name:string UID:string APIVersion:string ResourceVersion:string FieldPath:string',
  PersistentVolumeClaimSpec:
    'AccessModes:[string Selector:*json Resources:VolumeResourceRequirements VolumeName:string StorageClassName:*string VolumeMode:*string DataSource:*TypedLocalObjectReference DataSourceRef:*TypedObjectReference VolumeAttributesClassName:*string',
  PersistentVolumeClaimTemplate: '+meta Spec:PersistentVolumeClaimSpec',
  PersistentVolumeClaimVolumeSource: 'ClaimName:string ReadOnly:bool',
  PersistentVolumeSource:
    'GCEPersistentDisk:*GCEPersistentDiskVolumeSource AWSElasticBlockStore:*AWSElasticBlockStoreVolumeSource HostPath:*HostPathVolumeSource Glusterfs:*GlusterfsPersistentVolumeSource NFS:*NFSVolumeSource RBD:*RBDPersistentVolumeSource Quobyte:*QuobyteVolumeSource ISCSI:*ISCSIPersistentVolumeSource FlexVolume:*FlexPersistentVolumeSource Cinder:*CinderPersistentVolumeSource CephFS=cephfs:*CephFSPersistentVolumeSource FC:*FCVolumeSource Flocker:*FlockerVolumeSource AzureFile:*AzureFilePersistentVolumeSource VsphereVolume:*VsphereVirtualDiskVolumeSource AzureDisk:*AzureDiskVolumeSource PhotonPersistentDisk:*PhotonPersistentDiskVolumeSource PortworxVolume:*PortworxVolumeSource ScaleIO:*ScaleIOPersistentVolumeSource Local:*LocalVolumeSource StorageOS=storageos:*StorageOSPersistentVolumeSource CSI:*CSIPersistentVolumeSource',
  PhotonPersistentDiskVolumeSource: 'PdID:string FSType:string',
  PersistentVolumeSpec:
    'Capacity:{ +PersistentVolumeSource AccessModes:[string ClaimRef:*ObjectReference PersistentVolumeReclaimPolicy:string StorageClassName:string MountOptions:[string VolumeMode:*string NodeAffinity:*VolumeNodeAffinity VolumeAttributesClassName:*string',
  PodAffinity:
    'RequiredDuringSchedulingIgnoredDuringExecution:[PodAffinityTerm PreferredDuringSchedulingIgnoredDuringExecution:[WeightedPodAffinityTerm',
  PodAffinityTerm:
    'LabelSelector:*json Namespaces:[string TopologyKey:string NamespaceSelector:*json MatchLabelKeys:[string MismatchLabelKeys:[string',
  PodAntiAffinity:
    'RequiredDuringSchedulingIgnoredDuringExecution:[PodAffinityTerm PreferredDuringSchedulingIgnoredDuringExecution:[WeightedPodAffinityTerm',
  PodCertificateProjection:
    'SignerName:string KeyType:string MaxExpirationSeconds:*number CredentialBundlePath:string KeyPath:string CertificateChainPath:string UserAnnotations:{',
  PodDNSConfig: 'Nameservers:[string Searches:[string Options:[PodDNSConfigOption',
  PodDNSConfigOption: 'Name:string Value:*string',
  PodFailurePolicy: 'Rules:[PodFailurePolicyRule',
  PodFailurePolicyOnExitCodesRequirement: 'ContainerName:*string Operator:string Values:[number',
  PodFailurePolicyOnPodConditionsPattern: 'Type:string Status:string',
  PodFailurePolicyRule:
    'Action:string OnExitCodes:*PodFailurePolicyOnExitCodesRequirement OnPodConditions:[PodFailurePolicyOnPodConditionsPattern',
  PodOS: 'Name:string',
  PodReadinessGate: 'ConditionType:string',
  PodResourceClaim: 'Name:string ResourceClaimName:*string ResourceClaimTemplateName:*string',
  PodSchedulingGate: 'Name:string',
  PodSchedulingGroup: 'PodGroupName:*string',
  PodSecurityContext:
    'HostNetwork:bool HostPID:bool HostIPC:bool ShareProcessNamespace:*bool HostUsers:*bool SELinuxOptions:*SELinuxOptions WindowsOptions:*WindowsSecurityContextOptions RunAsUser:*number RunAsGroup:*number RunAsNonRoot:*bool SupplementalGroups:[number SupplementalGroupsPolicy:*string FSGroup:*number FSGroupChangePolicy:*string Sysctls:[Sysctl SeccompProfile:*SeccompProfile AppArmorProfile:*AppArmorProfile SELinuxChangePolicy:*string',
  PodSpec:
    'Volumes:[Volume InitContainers:[Container Containers:[Container EphemeralContainers:[EphemeralContainer RestartPolicy:string TerminationGracePeriodSeconds:*number ActiveDeadlineSeconds:*number DNSPolicy:string NodeSelector:{ ServiceAccountName:string AutomountServiceAccountToken:*bool NodeName:string SecurityContext:*PodSecurityContext ImagePullSecrets:[LocalObjectReference Hostname:string Subdomain:string SetHostnameAsFQDN:*bool Affinity:*Affinity SchedulerName:string Tolerations:[Toleration HostAliases:[HostAlias PriorityClassName:string Priority:*number PreemptionPolicy:*string DNSConfig:*PodDNSConfig ReadinessGates:[PodReadinessGate RuntimeClassName:*string Overhead:{ EnableServiceLinks:*bool TopologySpreadConstraints:[TopologySpreadConstraint OS:*PodOS SchedulingGates:[PodSchedulingGate ResourceClaims:[PodResourceClaim Resources:*ResourceRequirements HostnameOverride:*string SchedulingGroup:*PodSchedulingGroup',
  PodTemplateSpec: '+meta Spec:PodSpec',
  PortworxVolumeSource: 'VolumeID:string FSType:string ReadOnly:bool',
  PreferredSchedulingTerm: 'Weight:number Preference:NodeSelectorTerm',
  Probe:
    '+ProbeHandler InitialDelaySeconds:number TimeoutSeconds:number PeriodSeconds:number SuccessThreshold:number FailureThreshold:number TerminationGracePeriodSeconds:*number',
  ProbeHandler:
    'Exec:*ExecAction HTTPGet:*HTTPGetAction TCPSocket:*TCPSocketAction GRPC:*GRPCAction',
  ProjectedVolumeSource: 'Sources:[VolumeProjection DefaultMode:*number',
  QuobyteVolumeSource:
    'Registry:string Volume:string ReadOnly:bool User:string Group:string Tenant:string',
  RBDPersistentVolumeSource:
    'CephMonitors=monitors:[string RBDImage=image:string FSType:string RBDPool=pool:string RadosUser=user:string Keyring:string SecretRef:*SecretReference ReadOnly:bool',
  RBDVolumeSource:
    'CephMonitors=monitors:[string RBDImage=image:string FSType:string RBDPool=pool:string RadosUser=user:string Keyring:string SecretRef:*LocalObjectReference ReadOnly:bool',
  ResourceClaim: 'Name:string Request:string',
  ResourceFieldSelector: 'ContainerName:string Resource:string Divisor:quantity',
  ResourceRequirements: 'Limits:{ Requests:{ Claims:[ResourceClaim',
  SELinuxOptions: 'User:string Role:string Type:string Level:string',
  ScaleIOPersistentVolumeSource:
    'Gateway:string System:string SecretRef:*SecretReference SSLEnabled:bool ProtectionDomain:string StoragePool:string StorageMode:string VolumeName:string FSType:string ReadOnly:bool',
  ScaleIOVolumeSource:
    'Gateway:string System:string SecretRef:*LocalObjectReference SSLEnabled:bool ProtectionDomain:string StoragePool:string StorageMode:string VolumeName:string FSType:string ReadOnly:bool',
  SeccompProfile: 'Type:string LocalhostProfile:*string',
  SecretEnvSource: '+LocalObjectReference Optional:*bool',
  SecretKeySelector: '+LocalObjectReference Key:string Optional:*bool',
  SecretProjection: '+LocalObjectReference Items:[KeyToPath Optional:*bool',
  SecretReference: 'Name:string Namespace:string',
  SecretVolumeSource: 'SecretName:string Items:[KeyToPath DefaultMode:*number Optional:*bool',
  SecurityContext:
    'Capabilities:*Capabilities Privileged:*bool SELinuxOptions:*SELinuxOptions WindowsOptions:*WindowsSecurityContextOptions RunAsUser:*number RunAsGroup:*number RunAsNonRoot:*bool ReadOnlyRootFilesystem:*bool AllowPrivilegeEscalation:*bool ProcMount:*string SeccompProfile:*SeccompProfile AppArmorProfile:*AppArmorProfile',
  ServiceAccountTokenProjection: 'Audience:string ExpirationSeconds:number Path:string',
  SleepAction: 'Seconds:number',
  StorageOSPersistentVolumeSource:
    'VolumeName:string VolumeNamespace:string FSType:string ReadOnly:bool SecretRef:*ObjectReference',
  StorageOSVolumeSource:
    'VolumeName:string VolumeNamespace:string FSType:string ReadOnly:bool SecretRef:*LocalObjectReference',
  SuccessPolicy: 'Rules:[SuccessPolicyRule',
  SuccessPolicyRule: 'SucceededIndexes:*string SucceededCount:*number',
  Sysctl: 'Name:string Value:string',
  TCPSocketAction: 'Port:int Host:string',
  Toleration: 'Key:string Operator:string Value:string Effect:string TolerationSeconds:*number',
  TopologySpreadConstraint:
    'MaxSkew:number TopologyKey:string WhenUnsatisfiable:string LabelSelector:*json MinDomains:*number NodeAffinityPolicy:*string NodeTaintsPolicy:*string MatchLabelKeys:[string',
  TypedLocalObjectReference: 'APIGroup:*string Kind:string Name:string',
  TypedObjectReference: 'APIGroup:*string Kind:string Name:string Namespace:*string',
  UncountedTerminatedPods: 'Succeeded:[string Failed:[string',
  VolumeAttachmentSource: 'PersistentVolumeName:*string InlineVolumeSpec:*PersistentVolumeSpec',
  VolumeAttachmentSpec: 'Attacher:string Source:VolumeAttachmentSource NodeName:string',
  Volume: 'Name:string +VolumeSource',
  VolumeNodeAffinity: 'Required:*NodeSelector',
  VolumeNodeResources: 'Count:*number',
  VolumeDevice: 'Name:string DevicePath:string',
  VolumeMount:
    'Name:string ReadOnly:bool RecursiveReadOnly:*string MountPath:string SubPath:string MountPropagation:*string SubPathExpr:string',
  VolumeProjection:
    'Secret:*SecretProjection DownwardAPI:*DownwardAPIProjection ConfigMap:*ConfigMapProjection ServiceAccountToken:*ServiceAccountTokenProjection ClusterTrustBundle:*ClusterTrustBundleProjection PodCertificate:*PodCertificateProjection',
  VolumeResourceRequirements: 'Limits:{ Requests:{',
  VolumeSource:
    'HostPath:*HostPathVolumeSource EmptyDir:*EmptyDirVolumeSource GCEPersistentDisk:*GCEPersistentDiskVolumeSource AWSElasticBlockStore:*AWSElasticBlockStoreVolumeSource GitRepo:*GitRepoVolumeSource Secret:*SecretVolumeSource NFS:*NFSVolumeSource ISCSI:*ISCSIVolumeSource Glusterfs:*GlusterfsVolumeSource PersistentVolumeClaim:*PersistentVolumeClaimVolumeSource RBD:*RBDVolumeSource Quobyte:*QuobyteVolumeSource FlexVolume:*FlexVolumeSource Cinder:*CinderVolumeSource CephFS=cephfs:*CephFSVolumeSource Flocker:*FlockerVolumeSource DownwardAPI:*DownwardAPIVolumeSource FC:*FCVolumeSource AzureFile:*AzureFileVolumeSource ConfigMap:*ConfigMapVolumeSource VsphereVolume:*VsphereVirtualDiskVolumeSource AzureDisk:*AzureDiskVolumeSource PhotonPersistentDisk:*PhotonPersistentDiskVolumeSource Projected:*ProjectedVolumeSource PortworxVolume:*PortworxVolumeSource ScaleIO:*ScaleIOVolumeSource StorageOS=storageos:*StorageOSVolumeSource CSI:*CSIVolumeSource Ephemeral:*EphemeralVolumeSource Image:*ImageVolumeSource',
  VsphereVirtualDiskVolumeSource:
    'VolumePath:string FSType:string StoragePolicyName:string StoragePolicyID:string',
  WeightedPodAffinityTerm: 'Weight:number PodAffinityTerm:PodAffinityTerm',
  WindowsSecurityContextOptions:
    'GMSACredentialSpecName:*string GMSACredentialSpec:*string RunAsUserName:*string HostProcess:*bool',
};

// Written by `npm run generate` from packages/codegen/model. Do not edit.

/** Kubernetes 1.36.4: the kinds of each apiVersion, by the package of their messages. */
export const kindTable: Readonly<Record<string, string>> = {
  v1: `
core.v1 Binding ComponentStatus ComponentStatusList ConfigMap ConfigMapList Endpoints EndpointsList Event EventList LimitRange LimitRangeList Namespace NamespaceList Node NodeList PersistentVolume PersistentVolumeClaim PersistentVolumeClaimList PersistentVolumeList Pod PodList PodTemplate PodTemplateList ReplicationController ReplicationControllerList ResourceQuota ResourceQuotaList Secret SecretList Service ServiceAccount ServiceAccountList ServiceList List
meta.v1 APIResourceList DeleteOptions Status APIGroup APIGroupList APIVersions
`,
  'apiregistration.k8s.io/v1': `
meta.v1 DeleteOptions
apiregistration.v1 APIService APIServiceList
`,
  'apps/v1': `
apps.v1 ControllerRevision ControllerRevisionList DaemonSet DaemonSetList Deployment DeploymentList ReplicaSet ReplicaSetList StatefulSet StatefulSetList
meta.v1 DeleteOptions
`,
  'events.k8s.io/v1': `
events.v1 Event EventList
meta.v1 DeleteOptions
`,
  'authentication.k8s.io/v1': `
authentication.v1 SelfSubjectReview TokenRequest TokenReview
meta.v1 DeleteOptions
`,
  'authorization.k8s.io/v1': `
authorization.v1 LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview
meta.v1 DeleteOptions
`,
  'autoscaling/v2': `
autoscaling.v2 HorizontalPodAutoscaler HorizontalPodAutoscalerList
meta.v1 DeleteOptions
`,
  'autoscaling/v1': `
autoscaling.v1 HorizontalPodAutoscaler HorizontalPodAutoscalerList Scale
meta.v1 DeleteOptions
`,
  'batch/v1': `
batch.v1 CronJob CronJobList Job JobList
meta.v1 DeleteOptions
`,
  'certificates.k8s.io/v1': `
certificates.v1 CertificateSigningRequest CertificateSigningRequestList
meta.v1 DeleteOptions
`,
  'networking.k8s.io/v1': `
networking.v1 IPAddress IPAddressList Ingress IngressClass IngressClassList IngressList NetworkPolicy NetworkPolicyList ServiceCIDR ServiceCIDRList
meta.v1 DeleteOptions
`,
  'networking.k8s.io/v1beta1': `
networking.v1beta1 IPAddress IPAddressList ServiceCIDR ServiceCIDRList
meta.v1 DeleteOptions
`,
  'policy/v1': `
policy.v1 Eviction PodDisruptionBudget PodDisruptionBudgetList
meta.v1 DeleteOptions
`,
  'rbac.authorization.k8s.io/v1': `
rbac.v1 ClusterRole ClusterRoleBinding ClusterRoleBindingList ClusterRoleList Role RoleBinding RoleBindingList RoleList
meta.v1 DeleteOptions
`,
  'storage.k8s.io/v1': `
storage.v1 CSIDriver CSIDriverList CSINode CSINodeList CSIStorageCapacity CSIStorageCapacityList StorageClass StorageClassList VolumeAttachment VolumeAttachmentList VolumeAttributesClass VolumeAttributesClassList
meta.v1 DeleteOptions
`,
  'storage.k8s.io/v1beta1': `
storage.v1beta1 VolumeAttributesClass VolumeAttributesClassList
meta.v1 DeleteOptions
`,
  'admissionregistration.k8s.io/v1': `
admissionregistration.v1 MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingAdmissionPolicyBindingList MutatingAdmissionPolicyList MutatingWebhookConfiguration MutatingWebhookConfigurationList ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingAdmissionPolicyBindingList ValidatingAdmissionPolicyList ValidatingWebhookConfiguration ValidatingWebhookConfigurationList
meta.v1 DeleteOptions
`,
  'admissionregistration.k8s.io/v1beta1': `
admissionregistration.v1beta1 MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingAdmissionPolicyBindingList MutatingAdmissionPolicyList
meta.v1 DeleteOptions
`,
  'admissionregistration.k8s.io/v1alpha1': `
admissionregistration.v1alpha1 MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingAdmissionPolicyBindingList MutatingAdmissionPolicyList
meta.v1 DeleteOptions
`,
  'apiextensions.k8s.io/v1': `
apiextensions.v1 CustomResourceDefinition CustomResourceDefinitionList
meta.v1 DeleteOptions
`,
  'scheduling.k8s.io/v1': `
scheduling.v1 PriorityClass PriorityClassList
meta.v1 DeleteOptions
`,
  'coordination.k8s.io/v1': `
coordination.v1 Lease LeaseList
meta.v1 DeleteOptions
`,
  'coordination.k8s.io/v1beta1': `
coordination.v1beta1 LeaseCandidate LeaseCandidateList
meta.v1 DeleteOptions
`,
  'coordination.k8s.io/v1alpha2': `
coordination.v1alpha2 LeaseCandidate LeaseCandidateList
meta.v1 DeleteOptions
`,
  'node.k8s.io/v1': `
node.v1 RuntimeClass RuntimeClassList
meta.v1 DeleteOptions
`,
  'discovery.k8s.io/v1': `
discovery.v1 EndpointSlice EndpointSliceList
meta.v1 DeleteOptions
`,
  'resource.k8s.io/v1': `
resource.v1 DeviceClass DeviceClassList ResourceClaim ResourceClaimList ResourceClaimTemplate ResourceClaimTemplateList ResourceSlice ResourceSliceList
meta.v1 DeleteOptions
`,
  'resource.k8s.io/v1beta2': `
resource.v1beta2 DeviceClass DeviceClassList DeviceTaintRule DeviceTaintRuleList ResourceClaim ResourceClaimList ResourceClaimTemplate ResourceClaimTemplateList ResourceSlice ResourceSliceList
meta.v1 DeleteOptions
`,
  'resource.k8s.io/v1beta1': `
resource.v1beta1 DeviceClass DeviceClassList ResourceClaim ResourceClaimList ResourceClaimTemplate ResourceClaimTemplateList ResourceSlice ResourceSliceList
meta.v1 DeleteOptions
`,
  'resource.k8s.io/v1alpha3': `
resource.v1alpha3 DeviceTaintRule DeviceTaintRuleList ResourcePoolStatusRequest ResourcePoolStatusRequestList
meta.v1 DeleteOptions
`,
  'flowcontrol.apiserver.k8s.io/v1': `
flowcontrol.v1 FlowSchema FlowSchemaList PriorityLevelConfiguration PriorityLevelConfigurationList
meta.v1 DeleteOptions
`,
  'internal.apiserver.k8s.io/v1alpha1': `
apiserverinternal.v1alpha1 StorageVersion StorageVersionList
meta.v1 DeleteOptions
`,
  'storage.k8s.io/v1alpha1': `
meta.v1 DeleteOptions
storage.v1alpha1 VolumeAttributesClass VolumeAttributesClassList
`,
  '': `
meta.v1 APIGroup APIGroupList APIResourceList APIVersions
`,
  'apidiscovery.k8s.io/v2': `
apidiscovery.v2 APIGroupDiscovery APIGroupDiscoveryList
`,
  'meta.k8s.io/v1': `
meta.v1 DeleteOptions PartialObjectMetadata PartialObjectMetadataList
`,
  'meta.k8s.io/v1beta1': `
meta.v1 PartialObjectMetadata
meta.v1beta1 PartialObjectMetadataList
`,
};

/** The messages of each package, one per line. */
export const messageTable: Readonly<Record<string, string>> = {
  'admissionregistration.v1': `
ApplyConfiguration expression:1s
AuditAnnotation key:1!s valueExpression:2!s
ExpressionWarning fieldRef:2!s warning:3!s
JSONPatch expression:1s
MatchCondition name:1!s expression:2!s
MatchResources namespaceSelector:1?.meta.v1.LabelSelector objectSelector:2?.meta.v1.LabelSelector resourceRules:3*.NamedRuleWithOperations excludeResourceRules:4*.NamedRuleWithOperations matchPolicy:7?s
MutatingAdmissionPolicy+ metadata:1!.meta.v1.ObjectMeta spec:2!.MutatingAdmissionPolicySpec
MutatingAdmissionPolicyBinding+ metadata:1!.meta.v1.ObjectMeta spec:2!.MutatingAdmissionPolicyBindingSpec
MutatingAdmissionPolicyBindingList+ metadata:1!.meta.v1.ListMeta items:2@*.MutatingAdmissionPolicyBinding
MutatingAdmissionPolicyBindingSpec policyName:1s paramRef:2?.ParamRef matchResources:3?.MatchResources
MutatingAdmissionPolicyList+ metadata:1!.meta.v1.ListMeta items:2@*.MutatingAdmissionPolicy
MutatingAdmissionPolicySpec paramKind:1?.ParamKind matchConstraints:2?.MatchResources variables:3*.Variable mutations:4*.Mutation failurePolicy:5?s matchConditions:6*.MatchCondition reinvocationPolicy:7s
MutatingWebhook name:1!s clientConfig:2!.WebhookClientConfig rules:3*.RuleWithOperations failurePolicy:4?s namespaceSelector:5?.meta.v1.LabelSelector sideEffects:6!?s timeoutSeconds:7?i admissionReviewVersions:8!*s matchPolicy:9?s reinvocationPolicy:10?s objectSelector:11?.meta.v1.LabelSelector matchConditions:12*.MatchCondition
MutatingWebhookConfiguration+ metadata:1!.meta.v1.ObjectMeta webhooks:2*.MutatingWebhook
MutatingWebhookConfigurationList+ metadata:1!.meta.v1.ListMeta items:2@*.MutatingWebhookConfiguration
Mutation patchType:2!s applyConfiguration:3?.ApplyConfiguration jsonPatch:4?.JSONPatch
NamedRuleWithOperations resourceNames:1*s :2.RuleWithOperations
ParamKind apiVersion:1s kind:2s
ParamRef name:1s namespace:2s selector:3?.meta.v1.LabelSelector parameterNotFoundAction:4?s
Rule apiGroups:1*s apiVersions:2*s resources:3*s scope:4?s
RuleWithOperations operations:1*s :2.Rule
ServiceReference namespace:1!s name:2!s path:3?s port:4?i
TypeChecking expressionWarnings:1*.ExpressionWarning
ValidatingAdmissionPolicy+ metadata:1!.meta.v1.ObjectMeta spec:2!.ValidatingAdmissionPolicySpec status:3!.ValidatingAdmissionPolicyStatus
ValidatingAdmissionPolicyBinding+ metadata:1!.meta.v1.ObjectMeta spec:2!.ValidatingAdmissionPolicyBindingSpec
ValidatingAdmissionPolicyBindingList+ metadata:1!.meta.v1.ListMeta items:2@*.ValidatingAdmissionPolicyBinding
ValidatingAdmissionPolicyBindingSpec policyName:1s paramRef:2?.ParamRef matchResources:3?.MatchResources validationActions:4*s
ValidatingAdmissionPolicyList+ metadata:1!.meta.v1.ListMeta items:2@*.ValidatingAdmissionPolicy
ValidatingAdmissionPolicySpec paramKind:1?.ParamKind matchConstraints:2?.MatchResources validations:3*.Validation failurePolicy:4?s auditAnnotations:5*.AuditAnnotation matchConditions:6*.MatchCondition variables:7*.Variable
ValidatingAdmissionPolicyStatus observedGeneration:1l typeChecking:2?.TypeChecking conditions:3*.meta.v1.Condition
ValidatingWebhook name:1!s clientConfig:2!.WebhookClientConfig rules:3*.RuleWithOperations failurePolicy:4?s namespaceSelector:5?.meta.v1.LabelSelector sideEffects:6!?s timeoutSeconds:7?i admissionReviewVersions:8!*s matchPolicy:9?s objectSelector:10?.meta.v1.LabelSelector matchConditions:11*.MatchCondition
ValidatingWebhookConfiguration+ metadata:1!.meta.v1.ObjectMeta webhooks:2*.ValidatingWebhook
ValidatingWebhookConfigurationList+ metadata:1!.meta.v1.ListMeta items:2@*.ValidatingWebhookConfiguration
Validation expression:1!s message:2s reason:3?s messageExpression:4s
Variable name:1!s expression:2!s
WebhookClientConfig service:1?.ServiceReference caBundle:2y url:3?s
`,
  'admissionregistration.v1alpha1': `
ApplyConfiguration expression:1s
JSONPatch expression:1s
MatchCondition name:1!s expression:2!s
MatchResources namespaceSelector:1?.meta.v1.LabelSelector objectSelector:2?.meta.v1.LabelSelector resourceRules:3*.NamedRuleWithOperations excludeResourceRules:4*.NamedRuleWithOperations matchPolicy:7?s
MutatingAdmissionPolicy+ metadata:1!.meta.v1.ObjectMeta spec:2!.MutatingAdmissionPolicySpec
MutatingAdmissionPolicyBinding+ metadata:1!.meta.v1.ObjectMeta spec:2!.MutatingAdmissionPolicyBindingSpec
MutatingAdmissionPolicyBindingList+ metadata:1!.meta.v1.ListMeta items:2@*.MutatingAdmissionPolicyBinding
MutatingAdmissionPolicyBindingSpec policyName:1s paramRef:2?.ParamRef matchResources:3?.MatchResources
MutatingAdmissionPolicyList+ metadata:1!.meta.v1.ListMeta items:2@*.MutatingAdmissionPolicy
MutatingAdmissionPolicySpec paramKind:1?.ParamKind matchConstraints:2?.MatchResources variables:3*.Variable mutations:4*.Mutation failurePolicy:5?s matchConditions:6*.MatchCondition reinvocationPolicy:7s
Mutation patchType:2!s applyConfiguration:3?.ApplyConfiguration jsonPatch:4?.JSONPatch
NamedRuleWithOperations resourceNames:1*s :2.admissionregistration.v1.RuleWithOperations
ParamKind apiVersion:1s kind:2s
ParamRef name:1s namespace:2s selector:3?.meta.v1.LabelSelector parameterNotFoundAction:4?s
Variable name:1!s expression:2!s
`,
  'admissionregistration.v1beta1': `
ApplyConfiguration expression:1s
JSONPatch expression:1s
MatchCondition name:1!s expression:2!s
MatchResources namespaceSelector:1?.meta.v1.LabelSelector objectSelector:2?.meta.v1.LabelSelector resourceRules:3*.NamedRuleWithOperations excludeResourceRules:4*.NamedRuleWithOperations matchPolicy:7?s
MutatingAdmissionPolicy+ metadata:1!.meta.v1.ObjectMeta spec:2!.MutatingAdmissionPolicySpec
MutatingAdmissionPolicyBinding+ metadata:1!.meta.v1.ObjectMeta spec:2!.MutatingAdmissionPolicyBindingSpec
MutatingAdmissionPolicyBindingList+ metadata:1!.meta.v1.ListMeta items:2@*.MutatingAdmissionPolicyBinding
MutatingAdmissionPolicyBindingSpec policyName:1s paramRef:2?.ParamRef matchResources:3?.MatchResources
MutatingAdmissionPolicyList+ metadata:1!.meta.v1.ListMeta items:2@*.MutatingAdmissionPolicy
MutatingAdmissionPolicySpec paramKind:1?.ParamKind matchConstraints:2?.MatchResources variables:3*.Variable mutations:4*.Mutation failurePolicy:5?s matchConditions:6*.MatchCondition reinvocationPolicy:7s
Mutation patchType:2!s applyConfiguration:3?.ApplyConfiguration jsonPatch:4?.JSONPatch
NamedRuleWithOperations resourceNames:1*s :2.admissionregistration.v1.RuleWithOperations
ParamKind apiVersion:1s kind:2s
ParamRef name:1s namespace:2s selector:3?.meta.v1.LabelSelector parameterNotFoundAction:4?s
Variable name:1!s expression:2!s
`,
  'apidiscovery.v2': `
APIGroupDiscovery+ metadata:1!.meta.v1.ObjectMeta versions:2*.APIVersionDiscovery
APIGroupDiscoveryList+ metadata:1!.meta.v1.ListMeta items:2@*.APIGroupDiscovery
APIResourceDiscovery resource:1!s responseKind:2?.meta.v1.GroupVersionKind scope:3!s singularResource:4!s verbs:5!*s shortNames:6*s categories:7*s subresources:8*.APISubresourceDiscovery
APISubresourceDiscovery subresource:1!s responseKind:2?.meta.v1.GroupVersionKind acceptedTypes:3*.meta.v1.GroupVersionKind verbs:4!*s
APIVersionDiscovery version:1!s resources:2*.APIResourceDiscovery freshness:3s
`,
  'apiextensions.v1': `
CustomResourceColumnDefinition name:1!s type:2!s format:3s description:4s priority:5i jsonPath:6!s
CustomResourceConversion strategy:1!s webhook:2?.WebhookConversion
CustomResourceDefinition+ metadata:1!.meta.v1.ObjectMeta spec:2!.CustomResourceDefinitionSpec status:3!.CustomResourceDefinitionStatus
CustomResourceDefinitionCondition type:1!s status:2!s lastTransitionTime:3!T reason:4s message:5s observedGeneration:6l
CustomResourceDefinitionList+ metadata:1!.meta.v1.ListMeta items:2@*.CustomResourceDefinition
CustomResourceDefinitionNames plural:1!s singular:2s shortNames:3*s kind:4!s listKind:5s categories:6*s
CustomResourceDefinitionSpec group:1!s names:3!.CustomResourceDefinitionNames scope:4!s versions:7!*.CustomResourceDefinitionVersion conversion:9?.CustomResourceConversion preserveUnknownFields:10b
CustomResourceDefinitionStatus conditions:1!*.CustomResourceDefinitionCondition acceptedNames:2!.CustomResourceDefinitionNames storedVersions:3!*s observedGeneration:4l
CustomResourceDefinitionVersion name:1!s served:2!b storage:3!b schema:4?.CustomResourceValidation subresources:5?.CustomResourceSubresources additionalPrinterColumns:6*.CustomResourceColumnDefinition deprecated:7b deprecationWarning:8?s selectableFields:9*.SelectableField
CustomResourceSubresourceScale specReplicasPath:1!s statusReplicasPath:2!s labelSelectorPath:3?s
CustomResourceSubresourceStatus
CustomResourceSubresources status:1?.CustomResourceSubresourceStatus scale:2?.CustomResourceSubresourceScale
CustomResourceValidation openAPIV3Schema:1?.JSONSchemaProps
ExternalDocumentation description:1s url:2s
JSONSchemaProps id:1s $schema:2s $ref:3?s description:4s type:5s format:6s title:7s default:8?J maximum:9?d exclusiveMaximum:10b minimum:11?d exclusiveMinimum:12b maxLength:13?l minLength:14?l pattern:15s maxItems:16?l minItems:17?l uniqueItems:18b multipleOf:19?d enum:20*J maxProperties:21?l minProperties:22?l required:23*s items:24?.JSONSchemaPropsOrArray allOf:25*.JSONSchemaProps oneOf:26*.JSONSchemaProps anyOf:27*.JSONSchemaProps not:28?.JSONSchemaProps properties:29%.JSONSchemaProps additionalProperties:30?.JSONSchemaPropsOrBool patternProperties:31%.JSONSchemaProps dependencies:32%.JSONSchemaPropsOrStringArray additionalItems:33?.JSONSchemaPropsOrBool definitions:34%.JSONSchemaProps externalDocs:35?.ExternalDocumentation example:36?J nullable:37b x-kubernetes-preserve-unknown-fields:38?b x-kubernetes-embedded-resource:39b x-kubernetes-int-or-string:40b x-kubernetes-list-map-keys:41*s x-kubernetes-list-type:42?s x-kubernetes-map-type:43?s x-kubernetes-validations:44*.ValidationRule
JSONSchemaPropsOrArray schema:1?.JSONSchemaProps jSONSchemas:2*.JSONSchemaProps
JSONSchemaPropsOrBool allows:1!b schema:2?.JSONSchemaProps
JSONSchemaPropsOrStringArray schema:1?.JSONSchemaProps property:2*s
SelectableField jsonPath:1!s
ServiceReference namespace:1!s name:2!s path:3?s port:4?i
ValidationRule rule:1!s message:2s messageExpression:3s reason:4?s fieldPath:5s optionalOldSelf:6?b
WebhookClientConfig service:1?.ServiceReference caBundle:2y url:3?s
WebhookConversion clientConfig:2?.WebhookClientConfig conversionReviewVersions:3!*s
`,
  'apiregistration.v1': `
APIService+ metadata:1!.meta.v1.ObjectMeta spec:2!.APIServiceSpec status:3!.APIServiceStatus
APIServiceCondition type:1!s status:2!s lastTransitionTime:3!T reason:4s message:5s
APIServiceList+ metadata:1!.meta.v1.ListMeta items:2@*.APIService
APIServiceSpec service:1?.ServiceReference group:2s version:3s insecureSkipTLSVerify:4b caBundle:5y groupPriorityMinimum:7!i versionPriority:8!i
APIServiceStatus conditions:1*.APIServiceCondition
ServiceReference namespace:1s name:2s port:3?i
`,
  'apiserverinternal.v1alpha1': `
ServerStorageVersion apiServerID:1s encodingVersion:2s decodableVersions:3*s servedVersions:4*s
StorageVersion+ metadata:1!.meta.v1.ObjectMeta spec:2!.StorageVersionSpec status:3!.StorageVersionStatus
StorageVersionCondition type:1!s status:2!s observedGeneration:3l lastTransitionTime:4!T reason:5!s message:6s
StorageVersionList+ metadata:1!.meta.v1.ListMeta items:2@*.StorageVersion
StorageVersionSpec
StorageVersionStatus storageVersions:1*.ServerStorageVersion commonEncodingVersion:2?s conditions:3*.StorageVersionCondition
`,
  'apps.v1': `
ControllerRevision+ metadata:1!.meta.v1.ObjectMeta data:2!R revision:3!l
ControllerRevisionList+ metadata:1!.meta.v1.ListMeta items:2@*.ControllerRevision
DaemonSet+ metadata:1!.meta.v1.ObjectMeta spec:2!.DaemonSetSpec status:3!.DaemonSetStatus
DaemonSetCondition type:1!s status:2!s lastTransitionTime:3!T reason:4s message:5s
DaemonSetList+ metadata:1!.meta.v1.ListMeta items:2@*.DaemonSet
DaemonSetSpec selector:1!?.meta.v1.LabelSelector template:2!.core.v1.PodTemplateSpec updateStrategy:3!.DaemonSetUpdateStrategy minReadySeconds:4i revisionHistoryLimit:6?i
DaemonSetStatus currentNumberScheduled:1!i numberMisscheduled:2!i desiredNumberScheduled:3!i numberReady:4!i observedGeneration:5l updatedNumberScheduled:6i numberAvailable:7i numberUnavailable:8i collisionCount:9?i conditions:10*.DaemonSetCondition
DaemonSetUpdateStrategy type:1s rollingUpdate:2?.RollingUpdateDaemonSet
Deployment+ metadata:1!.meta.v1.ObjectMeta spec:2!.DeploymentSpec status:3!.DeploymentStatus
DeploymentCondition type:1!s status:2!s reason:4s message:5s lastUpdateTime:6!T lastTransitionTime:7!T
DeploymentList+ metadata:1!.meta.v1.ListMeta items:2@*.Deployment
DeploymentSpec replicas:1?i selector:2!?.meta.v1.LabelSelector template:3!.core.v1.PodTemplateSpec strategy:4!.DeploymentStrategy minReadySeconds:5i revisionHistoryLimit:6?i paused:7b progressDeadlineSeconds:9?i
DeploymentStatus observedGeneration:1l replicas:2i updatedReplicas:3i availableReplicas:4i unavailableReplicas:5i conditions:6*.DeploymentCondition readyReplicas:7i collisionCount:8?i terminatingReplicas:9?i
DeploymentStrategy type:1s rollingUpdate:2?.RollingUpdateDeployment
ReplicaSet+ metadata:1!.meta.v1.ObjectMeta spec:2!.ReplicaSetSpec status:3!.ReplicaSetStatus
ReplicaSetCondition type:1!s status:2!s lastTransitionTime:3!T reason:4s message:5s
ReplicaSetList+ metadata:1!.meta.v1.ListMeta items:2@*.ReplicaSet
ReplicaSetSpec replicas:1?i selector:2!?.meta.v1.LabelSelector template:3!.core.v1.PodTemplateSpec minReadySeconds:4i
ReplicaSetStatus replicas:1!i fullyLabeledReplicas:2i observedGeneration:3l readyReplicas:4i availableReplicas:5i conditions:6*.ReplicaSetCondition terminatingReplicas:7?i
RollingUpdateDaemonSet maxUnavailable:1?I maxSurge:2?I
RollingUpdateDeployment maxUnavailable:1?I maxSurge:2?I
RollingUpdateStatefulSetStrategy partition:1?i maxUnavailable:2?I
StatefulSet+ metadata:1!.meta.v1.ObjectMeta spec:2!.StatefulSetSpec status:3!.StatefulSetStatus
StatefulSetCondition type:1!s status:2!s lastTransitionTime:3!T reason:4s message:5s
StatefulSetList+ metadata:1!.meta.v1.ListMeta items:2@*.StatefulSet
StatefulSetOrdinals start:1!i
StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted:1s whenScaled:2s
StatefulSetSpec replicas:1?i selector:2!?.meta.v1.LabelSelector template:3!.core.v1.PodTemplateSpec volumeClaimTemplates:4*.core.v1.PersistentVolumeClaim=v1 serviceName:5!s podManagementPolicy:6s updateStrategy:7!.StatefulSetUpdateStrategy revisionHistoryLimit:8?i minReadySeconds:9i persistentVolumeClaimRetentionPolicy:10?.StatefulSetPersistentVolumeClaimRetentionPolicy ordinals:11?.StatefulSetOrdinals
StatefulSetStatus observedGeneration:1l replicas:2!i readyReplicas:3i currentReplicas:4i updatedReplicas:5i currentRevision:6s updateRevision:7s collisionCount:9?i conditions:10*.StatefulSetCondition availableReplicas:11!i
StatefulSetUpdateStrategy type:1s rollingUpdate:2?.RollingUpdateStatefulSetStrategy
`,
  'authentication.v1': `
BoundObjectReference kind:1s apiVersion:2s name:3s uid:4s
SelfSubjectReview+ metadata:1!.meta.v1.ObjectMeta status:2!.SelfSubjectReviewStatus
SelfSubjectReviewStatus userInfo:1!.UserInfo
TokenRequest+ metadata:1!.meta.v1.ObjectMeta spec:2!.TokenRequestSpec status:3!.TokenRequestStatus
TokenRequestSpec audiences:1!*s boundObjectRef:3!?.BoundObjectReference expirationSeconds:4!?l
TokenRequestStatus token:1!s expirationTimestamp:2!T
TokenReview+ metadata:1!.meta.v1.ObjectMeta spec:2!.TokenReviewSpec status:3!.TokenReviewStatus
TokenReviewSpec token:1s audiences:2*s
TokenReviewStatus authenticated:1b user:2!.UserInfo error:3s audiences:4*s
UserInfo username:1s uid:2s groups:3*s extra:4%L
`,
  'authorization.v1': `
FieldSelectorAttributes rawSelector:1s requirements:2*.meta.v1.FieldSelectorRequirement
LabelSelectorAttributes rawSelector:1s requirements:2*.meta.v1.LabelSelectorRequirement
LocalSubjectAccessReview+ metadata:1!.meta.v1.ObjectMeta spec:2!.SubjectAccessReviewSpec status:3!.SubjectAccessReviewStatus
NonResourceAttributes path:1s verb:2s
NonResourceRule verbs:1!*s nonResourceURLs:2*s
ResourceAttributes namespace:1s verb:2s group:3s version:4s resource:5s subresource:6s name:7s fieldSelector:8?.FieldSelectorAttributes labelSelector:9?.LabelSelectorAttributes
ResourceRule verbs:1!*s apiGroups:2*s resources:3*s resourceNames:4*s
SelfSubjectAccessReview+ metadata:1!.meta.v1.ObjectMeta spec:2!.SelfSubjectAccessReviewSpec status:3!.SubjectAccessReviewStatus
SelfSubjectAccessReviewSpec resourceAttributes:1?.ResourceAttributes nonResourceAttributes:2?.NonResourceAttributes
SelfSubjectRulesReview+ metadata:1!.meta.v1.ObjectMeta spec:2!.SelfSubjectRulesReviewSpec status:3!.SubjectRulesReviewStatus
SelfSubjectRulesReviewSpec namespace:1s
SubjectAccessReview+ metadata:1!.meta.v1.ObjectMeta spec:2!.SubjectAccessReviewSpec status:3!.SubjectAccessReviewStatus
SubjectAccessReviewSpec resourceAttributes:1?.ResourceAttributes nonResourceAttributes:2?.NonResourceAttributes user:3s groups:4*s extra:5%L uid:6s
SubjectAccessReviewStatus allowed:1!b reason:2s evaluationError:3s denied:4b
SubjectRulesReviewStatus resourceRules:1!*.ResourceRule nonResourceRules:2!*.NonResourceRule incomplete:3!b evaluationError:4s
`,
  'autoscaling.v1': `
CrossVersionObjectReference kind:1!s name:2!s apiVersion:3s
HorizontalPodAutoscaler+ metadata:1!.meta.v1.ObjectMeta spec:2!.HorizontalPodAutoscalerSpec status:3!.HorizontalPodAutoscalerStatus
HorizontalPodAutoscalerList+ metadata:1!.meta.v1.ListMeta items:2@*.HorizontalPodAutoscaler
HorizontalPodAutoscalerSpec scaleTargetRef:1!.CrossVersionObjectReference minReplicas:2?i maxReplicas:3!i targetCPUUtilizationPercentage:4?i
HorizontalPodAutoscalerStatus observedGeneration:1?l lastScaleTime:2?T currentReplicas:3!i desiredReplicas:4!i currentCPUUtilizationPercentage:5?i
Scale+ metadata:1!.meta.v1.ObjectMeta spec:2!.ScaleSpec status:3!.ScaleStatus
ScaleSpec replicas:1i
ScaleStatus replicas:1!i selector:2s
`,
  'autoscaling.v2': `
ContainerResourceMetricSource name:1!s target:2!.MetricTarget container:3!s
ContainerResourceMetricStatus name:1!s current:2!.MetricValueStatus container:3!s
CrossVersionObjectReference kind:1!s name:2!s apiVersion:3s
ExternalMetricSource metric:1!.MetricIdentifier target:2!.MetricTarget
ExternalMetricStatus metric:1!.MetricIdentifier current:2!.MetricValueStatus
HPAScalingPolicy type:1!s value:2!i periodSeconds:3!i
HPAScalingRules selectPolicy:1?s policies:2*.HPAScalingPolicy stabilizationWindowSeconds:3?i tolerance:4?Q
HorizontalPodAutoscaler+ metadata:1!.meta.v1.ObjectMeta spec:2!.HorizontalPodAutoscalerSpec status:3!.HorizontalPodAutoscalerStatus
HorizontalPodAutoscalerBehavior scaleUp:1?.HPAScalingRules scaleDown:2?.HPAScalingRules
HorizontalPodAutoscalerCondition type:1!s status:2!s lastTransitionTime:3!T reason:4s message:5s
HorizontalPodAutoscalerList+ metadata:1!.meta.v1.ListMeta items:2@*.HorizontalPodAutoscaler
HorizontalPodAutoscalerSpec scaleTargetRef:1!.CrossVersionObjectReference minReplicas:2?i maxReplicas:3!i metrics:4*.MetricSpec behavior:5?.HorizontalPodAutoscalerBehavior
HorizontalPodAutoscalerStatus observedGeneration:1?l lastScaleTime:2?T currentReplicas:3i desiredReplicas:4!i currentMetrics:5!*.MetricStatus conditions:6*.HorizontalPodAutoscalerCondition
MetricIdentifier name:1!s selector:2?.meta.v1.LabelSelector
MetricSpec type:1!s object:2?.ObjectMetricSource pods:3?.PodsMetricSource resource:4?.ResourceMetricSource external:5?.ExternalMetricSource containerResource:7?.ContainerResourceMetricSource
MetricStatus type:1!s object:2?.ObjectMetricStatus pods:3?.PodsMetricStatus resource:4?.ResourceMetricStatus external:5?.ExternalMetricStatus containerResource:7?.ContainerResourceMetricStatus
MetricTarget type:1!s value:2?Q averageValue:3?Q averageUtilization:4?i
MetricValueStatus value:1?Q averageValue:2?Q averageUtilization:3?i
ObjectMetricSource describedObject:1!.CrossVersionObjectReference target:2!.MetricTarget metric:3!.MetricIdentifier
ObjectMetricStatus metric:1!.MetricIdentifier current:2!.MetricValueStatus describedObject:3!.CrossVersionObjectReference
PodsMetricSource metric:1!.MetricIdentifier target:2!.MetricTarget
PodsMetricStatus metric:1!.MetricIdentifier current:2!.MetricValueStatus
ResourceMetricSource name:1!s target:2!.MetricTarget
ResourceMetricStatus name:1!s current:2!.MetricValueStatus
`,
  'batch.v1': `
CronJob+ metadata:1!.meta.v1.ObjectMeta spec:2!.CronJobSpec status:3!.CronJobStatus
CronJobList+ metadata:1!.meta.v1.ListMeta items:2@*.CronJob
CronJobSpec schedule:1!s startingDeadlineSeconds:2?l concurrencyPolicy:3s suspend:4?b jobTemplate:5!.JobTemplateSpec successfulJobsHistoryLimit:6?i failedJobsHistoryLimit:7?i timeZone:8?s
CronJobStatus active:1*.core.v1.ObjectReference lastScheduleTime:4?T lastSuccessfulTime:5?T
Job+ metadata:1!.meta.v1.ObjectMeta spec:2!.JobSpec status:3!.JobStatus
JobCondition type:1!s status:2!s lastProbeTime:3!T lastTransitionTime:4!T reason:5s message:6s
JobList+ metadata:1!.meta.v1.ListMeta items:2@*.Job
JobSpec parallelism:1?i completions:2?i activeDeadlineSeconds:3?l selector:4?.meta.v1.LabelSelector manualSelector:5?b template:6!.core.v1.PodTemplateSpec backoffLimit:7?i ttlSecondsAfterFinished:8?i completionMode:9?s suspend:10?b podFailurePolicy:11?.PodFailurePolicy backoffLimitPerIndex:12?i maxFailedIndexes:13?i podReplacementPolicy:14?s managedBy:15?s successPolicy:16?.SuccessPolicy
JobStatus conditions:1*.JobCondition startTime:2?T completionTime:3?T active:4i succeeded:5i failed:6i completedIndexes:7s uncountedTerminatedPods:8?.UncountedTerminatedPods ready:9?i failedIndexes:10?s terminating:11?i
JobTemplateSpec metadata:1!.meta.v1.ObjectMeta spec:2!.JobSpec
PodFailurePolicy rules:1!*.PodFailurePolicyRule
PodFailurePolicyOnExitCodesRequirement containerName:1?s operator:2!s values:3!*i
PodFailurePolicyOnPodConditionsPattern type:1!s status:2!s
PodFailurePolicyRule action:1!s onExitCodes:2?.PodFailurePolicyOnExitCodesRequirement onPodConditions:3*.PodFailurePolicyOnPodConditionsPattern
SuccessPolicy rules:1!*.SuccessPolicyRule
SuccessPolicyRule succeededIndexes:1?s succeededCount:2?i
UncountedTerminatedPods succeeded:1*s failed:2*s
`,
  'certificates.v1': `
CertificateSigningRequest+ metadata:1!.meta.v1.ObjectMeta spec:2!.CertificateSigningRequestSpec status:3!.CertificateSigningRequestStatus
CertificateSigningRequestCondition type:1!s reason:2s message:3s lastUpdateTime:4!T lastTransitionTime:5!T status:6!s
CertificateSigningRequestList+ metadata:1!.meta.v1.ListMeta items:2@*.CertificateSigningRequest
CertificateSigningRequestSpec request:1!y username:2s uid:3s groups:4*s usages:5*s extra:6%L signerName:7!s expirationSeconds:8?i
CertificateSigningRequestStatus conditions:1*.CertificateSigningRequestCondition certificate:2y
`,
  'coordination.v1': `
Lease+ metadata:1!.meta.v1.ObjectMeta spec:2!.LeaseSpec
LeaseList+ metadata:1!.meta.v1.ListMeta items:2@*.Lease
LeaseSpec holderIdentity:1?s leaseDurationSeconds:2?i acquireTime:3?M renewTime:4?M leaseTransitions:5?i strategy:6?s preferredHolder:7?s
`,
  'coordination.v1alpha2': `
LeaseCandidate+ metadata:1!.meta.v1.ObjectMeta spec:2!.LeaseCandidateSpec
LeaseCandidateList+ metadata:1!.meta.v1.ListMeta items:2@*.LeaseCandidate
LeaseCandidateSpec leaseName:1!s pingTime:2?M renewTime:3?M binaryVersion:4!s emulationVersion:5s strategy:6s
`,
  'coordination.v1beta1': `
LeaseCandidate+ metadata:1!.meta.v1.ObjectMeta spec:2!.LeaseCandidateSpec
LeaseCandidateList+ metadata:1!.meta.v1.ListMeta items:2@*.LeaseCandidate
LeaseCandidateSpec leaseName:1!s pingTime:2?M renewTime:3?M binaryVersion:4!s emulationVersion:5s strategy:6s
`,
  'core.v1': `
AWSElasticBlockStoreVolumeSource volumeID:1!s fsType:2s partition:3i readOnly:4b
Affinity nodeAffinity:1?.NodeAffinity podAffinity:2?.PodAffinity podAntiAffinity:3?.PodAntiAffinity
AppArmorProfile type:1!s localhostProfile:2?s
AttachedVolume name:1!s devicePath:2!s
AzureDiskVolumeSource diskName:1!s diskURI:2!s cachingMode:3?s fsType:4?s readOnly:5?b kind:6?s
AzureFilePersistentVolumeSource secretName:1!s shareName:2!s readOnly:3b secretNamespace:4!?s
AzureFileVolumeSource secretName:1!s shareName:2!s readOnly:3b
Binding+ metadata:1!.meta.v1.ObjectMeta target:2!.ObjectReference
CSIPersistentVolumeSource driver:1!s volumeHandle:2!s readOnly:3b fsType:4s volumeAttributes:5%s controllerPublishSecretRef:6?.SecretReference nodeStageSecretRef:7?.SecretReference nodePublishSecretRef:8?.SecretReference controllerExpandSecretRef:9?.SecretReference nodeExpandSecretRef:10?.SecretReference
CSIVolumeSource driver:1!s readOnly:2?b fsType:3?s volumeAttributes:4%s nodePublishSecretRef:5?.LocalObjectReference
Capabilities add:1*s drop:2*s
CephFSPersistentVolumeSource monitors:1!*s path:2s user:3s secretFile:4s secretRef:5?.SecretReference readOnly:6b
CephFSVolumeSource monitors:1!*s path:2s user:3s secretFile:4s secretRef:5?.LocalObjectReference readOnly:6b
CinderPersistentVolumeSource volumeID:1!s fsType:2s readOnly:3b secretRef:4?.SecretReference
CinderVolumeSource volumeID:1!s fsType:2s readOnly:3b secretRef:4?.LocalObjectReference
ClientIPConfig timeoutSeconds:1?i
ClusterTrustBundleProjection name:1?s signerName:2?s labelSelector:3?.meta.v1.LabelSelector path:4!s optional:5?b
ComponentCondition type:1!s status:2!s message:3s error:4s
ComponentStatus+ metadata:1!.meta.v1.ObjectMeta conditions:2*.ComponentCondition
ComponentStatusList+ metadata:1!.meta.v1.ListMeta items:2@*.ComponentStatus
ConfigMap+ metadata:1!.meta.v1.ObjectMeta data:2%s binaryData:3%y immutable:4?b
ConfigMapEnvSource :1.LocalObjectReference optional:2?b
ConfigMapKeySelector :1.LocalObjectReference key:2!s optional:3?b
ConfigMapList+ metadata:1!.meta.v1.ListMeta items:2@*.ConfigMap
ConfigMapNodeConfigSource namespace:1!s name:2!s uid:3s resourceVersion:4s kubeletConfigKey:5!s
ConfigMapProjection :1.LocalObjectReference items:2*.KeyToPath optional:4?b
ConfigMapVolumeSource :1.LocalObjectReference items:2*.KeyToPath defaultMode:3?i optional:4?b
Container name:1!s image:2s command:3*s args:4*s workingDir:5s ports:6*.ContainerPort env:7*.EnvVar resources:8!.ResourceRequirements volumeMounts:9*.VolumeMount livenessProbe:10?.Probe readinessProbe:11?.Probe lifecycle:12?.Lifecycle terminationMessagePath:13s imagePullPolicy:14s securityContext:15?.SecurityContext stdin:16b stdinOnce:17b tty:18b envFrom:19*.EnvFromSource terminationMessagePolicy:20s volumeDevices:21*.VolumeDevice startupProbe:22?.Probe resizePolicy:23*.ContainerResizePolicy restartPolicy:24?s restartPolicyRules:25*.ContainerRestartRule
ContainerExtendedResourceRequest containerName:1!s resourceName:2!s requestName:3!s
ContainerImage names:1!*s sizeBytes:2l
ContainerPort name:1s hostPort:2i containerPort:3!i protocol:4s hostIP:5s
ContainerResizePolicy resourceName:1!s restartPolicy:2!s
ContainerRestartRule action:1s exitCodes:2?.ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes operator:1s values:2*i
ContainerState waiting:1?.ContainerStateWaiting running:2?.ContainerStateRunning terminated:3?.ContainerStateTerminated
ContainerStateRunning startedAt:1!T
ContainerStateTerminated exitCode:1!i signal:2i reason:3s message:4s startedAt:5!T finishedAt:6!T containerID:7s
ContainerStateWaiting reason:1s message:2s
ContainerStatus name:1!s state:2!.ContainerState lastState:3!.ContainerState ready:4!b restartCount:5!i image:6!s imageID:7!s containerID:8s started:9?b allocatedResources:10%Q resources:11?.ResourceRequirements volumeMounts:12*.VolumeMountStatus user:13?.ContainerUser allocatedResourcesStatus:14*.ResourceStatus stopSignal:15?s
ContainerUser linux:1?.LinuxContainerUser
DaemonEndpoint Port:1!i
DownwardAPIProjection items:1*.DownwardAPIVolumeFile
DownwardAPIVolumeFile path:1!s fieldRef:2?.ObjectFieldSelector resourceFieldRef:3?.ResourceFieldSelector mode:4?i
DownwardAPIVolumeSource items:1*.DownwardAPIVolumeFile defaultMode:2?i
EmptyDirVolumeSource medium:1s sizeLimit:2?Q
EndpointAddress ip:1!s targetRef:2?.ObjectReference hostname:3s nodeName:4?s
EndpointPort name:1s port:2!i protocol:3s appProtocol:4?s
EndpointSubset addresses:1*.EndpointAddress notReadyAddresses:2*.EndpointAddress ports:3*.EndpointPort
Endpoints+ metadata:1!.meta.v1.ObjectMeta subsets:2*.EndpointSubset
EndpointsList+ metadata:1!.meta.v1.ListMeta items:2@*.Endpoints
EnvFromSource prefix:1s configMapRef:2?.ConfigMapEnvSource secretRef:3?.SecretEnvSource
EnvVar name:1!s value:2s valueFrom:3?.EnvVarSource
EnvVarSource fieldRef:1?.ObjectFieldSelector resourceFieldRef:2?.ResourceFieldSelector configMapKeyRef:3?.ConfigMapKeySelector secretKeyRef:4?.SecretKeySelector fileKeyRef:5?.FileKeySelector
EphemeralContainer :1.EphemeralContainerCommon targetContainerName:2s
EphemeralContainerCommon name:1!s image:2s command:3*s args:4*s workingDir:5s ports:6*.ContainerPort env:7*.EnvVar resources:8!.ResourceRequirements volumeMounts:9*.VolumeMount livenessProbe:10?.Probe readinessProbe:11?.Probe lifecycle:12?.Lifecycle terminationMessagePath:13s imagePullPolicy:14s securityContext:15?.SecurityContext stdin:16b stdinOnce:17b tty:18b envFrom:19*.EnvFromSource terminationMessagePolicy:20s volumeDevices:21*.VolumeDevice startupProbe:22?.Probe resizePolicy:23*.ContainerResizePolicy restartPolicy:24?s restartPolicyRules:25*.ContainerRestartRule
EphemeralVolumeSource volumeClaimTemplate:1?.PersistentVolumeClaimTemplate
Event+ metadata:1!.meta.v1.ObjectMeta involvedObject:2!.ObjectReference reason:3s message:4s source:5!.EventSource firstTimestamp:6!T lastTimestamp:7!T count:8i type:9s eventTime:10!M series:11?.EventSeries action:12s related:13?.ObjectReference reportingComponent:14!s reportingInstance:15!s
EventList+ metadata:1!.meta.v1.ListMeta items:2@*.Event
EventSeries count:1i lastObservedTime:2!M
EventSource component:1s host:2s
ExecAction command:1*s
FCVolumeSource targetWWNs:1*s lun:2?i fsType:3s readOnly:4b wwids:5*s
FileKeySelector volumeName:1!s path:2!s key:3!s optional:4?b
FlexPersistentVolumeSource driver:1!s fsType:2s secretRef:3?.SecretReference readOnly:4b options:5%s
FlexVolumeSource driver:1!s fsType:2s secretRef:3?.LocalObjectReference readOnly:4b options:5%s
FlockerVolumeSource datasetName:1s datasetUUID:2s
GCEPersistentDiskVolumeSource pdName:1!s fsType:2s partition:3i readOnly:4b
GRPCAction port:1!i service:2!?s
GitRepoVolumeSource repository:1!s revision:2s directory:3s
GlusterfsPersistentVolumeSource endpoints:1!s path:2!s readOnly:3b endpointsNamespace:4?s
GlusterfsVolumeSource endpoints:1!s path:2!s readOnly:3b
HTTPGetAction path:1s port:2!I host:3s scheme:4s httpHeaders:5*.HTTPHeader
HTTPHeader name:1!s value:2!s
HostAlias ip:1!s hostnames:2*s
HostIP ip:1!s
HostPathVolumeSource path:1!s type:2?s
ISCSIPersistentVolumeSource targetPortal:1!s iqn:2!s lun:3!i iscsiInterface:4s fsType:5s readOnly:6b portals:7*s chapAuthDiscovery:8b secretRef:10?.SecretReference chapAuthSession:11b initiatorName:12?s
ISCSIVolumeSource targetPortal:1!s iqn:2!s lun:3!i iscsiInterface:4s fsType:5s readOnly:6b portals:7*s chapAuthDiscovery:8b secretRef:10?.LocalObjectReference chapAuthSession:11b initiatorName:12?s
ImageVolumeSource reference:1s pullPolicy:2s
ImageVolumeStatus imageRef:1s
KeyToPath key:1!s path:2!s mode:3?i
Lifecycle postStart:1?.LifecycleHandler preStop:2?.LifecycleHandler stopSignal:3?s
LifecycleHandler exec:1?.ExecAction httpGet:2?.HTTPGetAction tcpSocket:3?.TCPSocketAction sleep:4?.SleepAction
LimitRange+ metadata:1!.meta.v1.ObjectMeta spec:2!.LimitRangeSpec
LimitRangeItem type:1!s max:2%Q min:3%Q default:4%Q defaultRequest:5%Q maxLimitRequestRatio:6%Q
LimitRangeList+ metadata:1!.meta.v1.ListMeta items:2@*.LimitRange
LimitRangeSpec limits:1!*.LimitRangeItem
LinuxContainerUser uid:1!l gid:2!l supplementalGroups:3*l
List+ metadata:1!.meta.v1.ListMeta items:2@*R
LoadBalancerIngress ip:1s hostname:2s ipMode:3?s ports:4*.PortStatus
LoadBalancerStatus ingress:1*.LoadBalancerIngress
LocalObjectReference name:1s
LocalVolumeSource path:1!s fsType:2?s
ModifyVolumeStatus targetVolumeAttributesClassName:1s status:2!s
NFSVolumeSource server:1!s path:2!s readOnly:3b
Namespace+ metadata:1!.meta.v1.ObjectMeta spec:2!.NamespaceSpec status:3!.NamespaceStatus
NamespaceCondition type:1!s status:2!s lastTransitionTime:4!T reason:5s message:6s
NamespaceList+ metadata:1!.meta.v1.ListMeta items:2@*.Namespace
NamespaceSpec finalizers:1*s
NamespaceStatus phase:1s conditions:2*.NamespaceCondition
Node+ metadata:1!.meta.v1.ObjectMeta spec:2!.NodeSpec status:3!.NodeStatus
NodeAddress type:1!s address:2!s
NodeAffinity requiredDuringSchedulingIgnoredDuringExecution:1?.NodeSelector preferredDuringSchedulingIgnoredDuringExecution:2*.PreferredSchedulingTerm
NodeAllocatableResourceClaimStatus resourceClaimName:1!s containers:2*s resources:3!%Q
NodeCondition type:1!s status:2!s lastHeartbeatTime:3!T lastTransitionTime:4!T reason:5s message:6s
NodeConfigSource configMap:2?.ConfigMapNodeConfigSource
NodeConfigStatus assigned:1?.NodeConfigSource active:2?.NodeConfigSource lastKnownGood:3?.NodeConfigSource error:4s
NodeDaemonEndpoints kubeletEndpoint:1!.DaemonEndpoint
NodeFeatures supplementalGroupsPolicy:1?b
NodeList+ metadata:1!.meta.v1.ListMeta items:2@*.Node
NodeRuntimeHandler name:1!s features:2?.NodeRuntimeHandlerFeatures
NodeRuntimeHandlerFeatures recursiveReadOnlyMounts:1?b userNamespaces:2?b
NodeSelector nodeSelectorTerms:1!*.NodeSelectorTerm
NodeSelectorRequirement key:1!s operator:2!s values:3*s
NodeSelectorTerm matchExpressions:1*.NodeSelectorRequirement matchFields:2*.NodeSelectorRequirement
NodeSpec podCIDR:1s externalID:2s providerID:3s unschedulable:4b taints:5*.Taint configSource:6?.NodeConfigSource podCIDRs:7*s
NodeStatus capacity:1%Q allocatable:2%Q phase:3s conditions:4*.NodeCondition addresses:5*.NodeAddress daemonEndpoints:6!.NodeDaemonEndpoints nodeInfo:7!.NodeSystemInfo images:8*.ContainerImage volumesInUse:9*s volumesAttached:10*.AttachedVolume config:11?.NodeConfigStatus runtimeHandlers:12*.NodeRuntimeHandler features:13?.NodeFeatures declaredFeatures:14*s
NodeSwapStatus capacity:1?l
NodeSystemInfo machineID:1!s systemUUID:2!s bootID:3!s kernelVersion:4!s osImage:5!s containerRuntimeVersion:6!s kubeletVersion:7!s kubeProxyVersion:8!s operatingSystem:9!s architecture:10!s swap:11?.NodeSwapStatus
ObjectFieldSelector apiVersion:1s fieldPath:2!s
ObjectReference kind:1s namespace:2s name:3s uid:4s apiVersion:5s resourceVersion:6s fieldPath:7s
PersistentVolume+ metadata:1!.meta.v1.ObjectMeta spec:2!.PersistentVolumeSpec status:3!.PersistentVolumeStatus
PersistentVolumeClaim+ metadata:1!.meta.v1.ObjectMeta spec:2!.PersistentVolumeClaimSpec status:3!.PersistentVolumeClaimStatus
PersistentVolumeClaimCondition type:1!s status:2!s lastProbeTime:3!T lastTransitionTime:4!T reason:5s message:6s
PersistentVolumeClaimList+ metadata:1!.meta.v1.ListMeta items:2@*.PersistentVolumeClaim
PersistentVolumeClaimSpec accessModes:1*s resources:2!.VolumeResourceRequirements volumeName:3s selector:4?.meta.v1.LabelSelector storageClassName:5?s volumeMode:6?s dataSource:7?.TypedLocalObjectReference dataSourceRef:8?.TypedObjectReference volumeAttributesClassName:9?s
PersistentVolumeClaimStatus phase:1s accessModes:2*s capacity:3%Q conditions:4*.PersistentVolumeClaimCondition allocatedResources:5%Q allocatedResourceStatuses:7%s currentVolumeAttributesClassName:8?s modifyVolumeStatus:9?.ModifyVolumeStatus
PersistentVolumeClaimTemplate metadata:1!.meta.v1.ObjectMeta spec:2!.PersistentVolumeClaimSpec
PersistentVolumeClaimVolumeSource claimName:1!s readOnly:2b
PersistentVolumeList+ metadata:1!.meta.v1.ListMeta items:2@*.PersistentVolume
PersistentVolumeSource gcePersistentDisk:1?.GCEPersistentDiskVolumeSource awsElasticBlockStore:2?.AWSElasticBlockStoreVolumeSource hostPath:3?.HostPathVolumeSource glusterfs:4?.GlusterfsPersistentVolumeSource nfs:5?.NFSVolumeSource rbd:6?.RBDPersistentVolumeSource iscsi:7?.ISCSIPersistentVolumeSource cinder:8?.CinderPersistentVolumeSource cephfs:9?.CephFSPersistentVolumeSource fc:10?.FCVolumeSource flocker:11?.FlockerVolumeSource flexVolume:12?.FlexPersistentVolumeSource azureFile:13?.AzureFilePersistentVolumeSource vsphereVolume:14?.VsphereVirtualDiskVolumeSource quobyte:15?.QuobyteVolumeSource azureDisk:16?.AzureDiskVolumeSource photonPersistentDisk:17?.PhotonPersistentDiskVolumeSource portworxVolume:18?.PortworxVolumeSource scaleIO:19?.ScaleIOPersistentVolumeSource local:20?.LocalVolumeSource storageos:21?.StorageOSPersistentVolumeSource csi:22?.CSIPersistentVolumeSource
PersistentVolumeSpec capacity:1%Q :2.PersistentVolumeSource accessModes:3*s claimRef:4?.ObjectReference persistentVolumeReclaimPolicy:5s storageClassName:6s mountOptions:7*s volumeMode:8?s nodeAffinity:9?.VolumeNodeAffinity volumeAttributesClassName:10?s
PersistentVolumeStatus phase:1s message:2s reason:3s lastPhaseTransitionTime:4?T
PhotonPersistentDiskVolumeSource pdID:1!s fsType:2s
Pod+ metadata:1!.meta.v1.ObjectMeta spec:2!.PodSpec status:3!.PodStatus
PodAffinity requiredDuringSchedulingIgnoredDuringExecution:1*.PodAffinityTerm preferredDuringSchedulingIgnoredDuringExecution:2*.WeightedPodAffinityTerm
PodAffinityTerm labelSelector:1?.meta.v1.LabelSelector namespaces:2*s topologyKey:3!s namespaceSelector:4?.meta.v1.LabelSelector matchLabelKeys:5*s mismatchLabelKeys:6*s
PodAntiAffinity requiredDuringSchedulingIgnoredDuringExecution:1*.PodAffinityTerm preferredDuringSchedulingIgnoredDuringExecution:2*.WeightedPodAffinityTerm
PodCertificateProjection signerName:1s keyType:2s maxExpirationSeconds:3?i credentialBundlePath:4s keyPath:5s certificateChainPath:6s userAnnotations:7%s
PodCondition type:1!s status:2!s lastProbeTime:3!T lastTransitionTime:4!T reason:5s message:6s observedGeneration:7l
PodDNSConfig nameservers:1*s searches:2*s options:3*.PodDNSConfigOption
PodDNSConfigOption name:1s value:2?s
PodExtendedResourceClaimStatus requestMappings:1!*.ContainerExtendedResourceRequest resourceClaimName:2!s
PodIP ip:1!s
PodList+ metadata:1!.meta.v1.ListMeta items:2@*.Pod
PodOS name:1!s
PodReadinessGate conditionType:1!s
PodResourceClaim name:1!s resourceClaimName:3?s resourceClaimTemplateName:4?s
PodResourceClaimStatus name:1!s resourceClaimName:2?s
PodSchedulingGate name:1!s
PodSchedulingGroup podGroupName:1?s
PodSecurityContext seLinuxOptions:1?.SELinuxOptions runAsUser:2?l runAsNonRoot:3?b supplementalGroups:4*l fsGroup:5?l runAsGroup:6?l sysctls:7*.Sysctl windowsOptions:8?.WindowsSecurityContextOptions fsGroupChangePolicy:9?s seccompProfile:10?.SeccompProfile appArmorProfile:11?.AppArmorProfile supplementalGroupsPolicy:12?s seLinuxChangePolicy:13?s
PodSpec volumes:1*.Volume containers:2!*.Container restartPolicy:3s terminationGracePeriodSeconds:4?l activeDeadlineSeconds:5?l dnsPolicy:6s nodeSelector:7%s serviceAccountName:8s serviceAccount:9s nodeName:10s hostNetwork:11b hostPID:12b hostIPC:13b securityContext:14?.PodSecurityContext imagePullSecrets:15*.LocalObjectReference hostname:16s subdomain:17s affinity:18?.Affinity schedulerName:19s initContainers:20*.Container automountServiceAccountToken:21?b tolerations:22*.Toleration hostAliases:23*.HostAlias priorityClassName:24s priority:25?i dnsConfig:26?.PodDNSConfig shareProcessNamespace:27?b readinessGates:28*.PodReadinessGate runtimeClassName:29?s enableServiceLinks:30?b preemptionPolicy:31?s overhead:32%Q topologySpreadConstraints:33*.TopologySpreadConstraint ephemeralContainers:34*.EphemeralContainer setHostnameAsFQDN:35?b os:36?.PodOS hostUsers:37?b schedulingGates:38*.PodSchedulingGate resourceClaims:39*.PodResourceClaim resources:40?.ResourceRequirements hostnameOverride:41?s workloadRef:42?.WorkloadReference schedulingGroup:43?.PodSchedulingGroup
PodStatus phase:1s conditions:2*.PodCondition message:3s reason:4s hostIP:5s podIP:6s startTime:7?T containerStatuses:8*.ContainerStatus qosClass:9s initContainerStatuses:10*.ContainerStatus nominatedNodeName:11s podIPs:12*.PodIP ephemeralContainerStatuses:13*.ContainerStatus resize:14s resourceClaimStatuses:15*.PodResourceClaimStatus hostIPs:16*.HostIP observedGeneration:17l extendedResourceClaimStatus:18?.PodExtendedResourceClaimStatus allocatedResources:19%Q resources:20?.ResourceRequirements nodeAllocatableResourceClaimStatuses:21*.NodeAllocatableResourceClaimStatus
PodTemplate+ metadata:1!.meta.v1.ObjectMeta template:2!.PodTemplateSpec
PodTemplateList+ metadata:1!.meta.v1.ListMeta items:2@*.PodTemplate
PodTemplateSpec metadata:1!.meta.v1.ObjectMeta spec:2!.PodSpec
PortStatus port:1!i protocol:2!s error:3?s
PortworxVolumeSource volumeID:1!s fsType:2s readOnly:3b
PreferredSchedulingTerm weight:1!i preference:2!.NodeSelectorTerm
Probe :1.ProbeHandler initialDelaySeconds:2i timeoutSeconds:3i periodSeconds:4i successThreshold:5i failureThreshold:6i terminationGracePeriodSeconds:7?l
ProbeHandler exec:1?.ExecAction httpGet:2?.HTTPGetAction tcpSocket:3?.TCPSocketAction grpc:4?.GRPCAction
ProjectedVolumeSource sources:1!*.VolumeProjection defaultMode:2?i
QuobyteVolumeSource registry:1!s volume:2!s readOnly:3b user:4s group:5s tenant:6s
RBDPersistentVolumeSource monitors:1!*s image:2!s fsType:3s pool:4s user:5s keyring:6s secretRef:7?.SecretReference readOnly:8b
RBDVolumeSource monitors:1!*s image:2!s fsType:3s pool:4s user:5s keyring:6s secretRef:7?.LocalObjectReference readOnly:8b
ReplicationController+ metadata:1!.meta.v1.ObjectMeta spec:2!.ReplicationControllerSpec status:3!.ReplicationControllerStatus
ReplicationControllerCondition type:1!s status:2!s lastTransitionTime:3!T reason:4s message:5s
ReplicationControllerList+ metadata:1!.meta.v1.ListMeta items:2@*.ReplicationController
ReplicationControllerSpec replicas:1?i selector:2%s template:3?.PodTemplateSpec minReadySeconds:4i
ReplicationControllerStatus replicas:1!i fullyLabeledReplicas:2i observedGeneration:3l readyReplicas:4i availableReplicas:5i conditions:6*.ReplicationControllerCondition
ResourceClaim name:1!s request:2s
ResourceFieldSelector containerName:1s resource:2!s divisor:3!Q
ResourceHealth resourceID:1!s health:2s message:6?s
ResourceQuota+ metadata:1!.meta.v1.ObjectMeta spec:2!.ResourceQuotaSpec status:3!.ResourceQuotaStatus
ResourceQuotaList+ metadata:1!.meta.v1.ListMeta items:2@*.ResourceQuota
ResourceQuotaSpec hard:1%Q scopes:2*s scopeSelector:3?.ScopeSelector
ResourceQuotaStatus hard:1%Q used:2%Q
ResourceRequirements limits:1%Q requests:2%Q claims:3*.ResourceClaim
ResourceStatus name:1!s resources:2*.ResourceHealth
SELinuxOptions user:1s role:2s type:3s level:4s
ScaleIOPersistentVolumeSource gateway:1!s system:2!s secretRef:3!?.SecretReference sslEnabled:4b protectionDomain:5s storagePool:6s storageMode:7s volumeName:8s fsType:9s readOnly:10b
ScaleIOVolumeSource gateway:1!s system:2!s secretRef:3!?.LocalObjectReference sslEnabled:4b protectionDomain:5s storagePool:6s storageMode:7s volumeName:8s fsType:9s readOnly:10b
ScopeSelector matchExpressions:1*.ScopedResourceSelectorRequirement
ScopedResourceSelectorRequirement scopeName:1!s operator:2!s values:3*s
SeccompProfile type:1!s localhostProfile:2?s
Secret+ metadata:1!.meta.v1.ObjectMeta data:2%y type:3s stringData:4%s immutable:5?b
SecretEnvSource :1.LocalObjectReference optional:2?b
SecretKeySelector :1.LocalObjectReference key:2!s optional:3?b
SecretList+ metadata:1!.meta.v1.ListMeta items:2@*.Secret
SecretProjection :1.LocalObjectReference items:2*.KeyToPath optional:4?b
SecretReference name:1s namespace:2s
SecretVolumeSource secretName:1s items:2*.KeyToPath defaultMode:3?i optional:4?b
SecurityContext capabilities:1?.Capabilities privileged:2?b seLinuxOptions:3?.SELinuxOptions runAsUser:4?l runAsNonRoot:5?b readOnlyRootFilesystem:6?b allowPrivilegeEscalation:7?b runAsGroup:8?l procMount:9?s windowsOptions:10?.WindowsSecurityContextOptions seccompProfile:11?.SeccompProfile appArmorProfile:12?.AppArmorProfile
Service+ metadata:1!.meta.v1.ObjectMeta spec:2!.ServiceSpec status:3!.ServiceStatus
ServiceAccount+ metadata:1!.meta.v1.ObjectMeta secrets:2*.ObjectReference imagePullSecrets:3*.LocalObjectReference automountServiceAccountToken:4?b
ServiceAccountList+ metadata:1!.meta.v1.ListMeta items:2@*.ServiceAccount
ServiceAccountTokenProjection audience:1s expirationSeconds:2?l path:3!s
ServiceList+ metadata:1!.meta.v1.ListMeta items:2@*.Service
ServicePort name:1s protocol:2s port:3!i targetPort:4!I nodePort:5i appProtocol:6?s
ServiceSpec ports:1*.ServicePort selector:2%s clusterIP:3s type:4s externalIPs:5*s sessionAffinity:7s loadBalancerIP:8s loadBalancerSourceRanges:9*s externalName:10s externalTrafficPolicy:11s healthCheckNodePort:12i publishNotReadyAddresses:13b sessionAffinityConfig:14?.SessionAffinityConfig ipFamilyPolicy:17?s clusterIPs:18*s ipFamilies:19*s allocateLoadBalancerNodePorts:20?b loadBalancerClass:21?s internalTrafficPolicy:22?s trafficDistribution:23?s
ServiceStatus loadBalancer:1!.LoadBalancerStatus conditions:2*.meta.v1.Condition
SessionAffinityConfig clientIP:1?.ClientIPConfig
SleepAction seconds:1!l
StorageOSPersistentVolumeSource volumeName:1s volumeNamespace:2s fsType:3s readOnly:4b secretRef:5?.ObjectReference
StorageOSVolumeSource volumeName:1s volumeNamespace:2s fsType:3s readOnly:4b secretRef:5?.LocalObjectReference
Sysctl name:1!s value:2!s
TCPSocketAction port:1!I host:2s
Taint key:1!s value:2s effect:3!s timeAdded:4?T
Toleration key:1s operator:2s value:3s effect:4s tolerationSeconds:5?l
TopologySelectorLabelRequirement key:1!s values:2!*s
TopologySelectorTerm matchLabelExpressions:1*.TopologySelectorLabelRequirement
TopologySpreadConstraint maxSkew:1!i topologyKey:2!s whenUnsatisfiable:3!s labelSelector:4?.meta.v1.LabelSelector minDomains:5?i nodeAffinityPolicy:6?s nodeTaintsPolicy:7?s matchLabelKeys:8*s
TypedLocalObjectReference apiGroup:1!?s kind:2!s name:3!s
TypedObjectReference apiGroup:1!?s kind:2!s name:3!s namespace:4?s
Volume name:1!s :2.VolumeSource
VolumeDevice name:1!s devicePath:2!s
VolumeMount name:1!s readOnly:2b mountPath:3!s subPath:4s mountPropagation:5?s subPathExpr:6s recursiveReadOnly:7?s
VolumeMountStatus name:1!s mountPath:2!s readOnly:3b recursiveReadOnly:4?s volumeStatus:5?.VolumeStatus
VolumeNodeAffinity required:1?.NodeSelector
VolumeProjection secret:1?.SecretProjection downwardAPI:2?.DownwardAPIProjection configMap:3?.ConfigMapProjection serviceAccountToken:4?.ServiceAccountTokenProjection clusterTrustBundle:5?.ClusterTrustBundleProjection podCertificate:6?.PodCertificateProjection
VolumeResourceRequirements limits:1%Q requests:2%Q
VolumeSource hostPath:1?.HostPathVolumeSource emptyDir:2?.EmptyDirVolumeSource gcePersistentDisk:3?.GCEPersistentDiskVolumeSource awsElasticBlockStore:4?.AWSElasticBlockStoreVolumeSource gitRepo:5?.GitRepoVolumeSource secret:6?.SecretVolumeSource nfs:7?.NFSVolumeSource iscsi:8?.ISCSIVolumeSource glusterfs:9?.GlusterfsVolumeSource persistentVolumeClaim:10?.PersistentVolumeClaimVolumeSource rbd:11?.RBDVolumeSource flexVolume:12?.FlexVolumeSource cinder:13?.CinderVolumeSource cephfs:14?.CephFSVolumeSource flocker:15?.FlockerVolumeSource downwardAPI:16?.DownwardAPIVolumeSource fc:17?.FCVolumeSource azureFile:18?.AzureFileVolumeSource configMap:19?.ConfigMapVolumeSource vsphereVolume:20?.VsphereVirtualDiskVolumeSource quobyte:21?.QuobyteVolumeSource azureDisk:22?.AzureDiskVolumeSource photonPersistentDisk:23?.PhotonPersistentDiskVolumeSource portworxVolume:24?.PortworxVolumeSource scaleIO:25?.ScaleIOVolumeSource projected:26?.ProjectedVolumeSource storageos:27?.StorageOSVolumeSource csi:28?.CSIVolumeSource ephemeral:29?.EphemeralVolumeSource image:30?.ImageVolumeSource
VolumeStatus image:1?.ImageVolumeStatus
VsphereVirtualDiskVolumeSource volumePath:1!s fsType:2s storagePolicyName:3s storagePolicyID:4s
WeightedPodAffinityTerm weight:1!i podAffinityTerm:2!.PodAffinityTerm
WindowsSecurityContextOptions gmsaCredentialSpecName:1?s gmsaCredentialSpec:2?s runAsUserName:3?s hostProcess:4?b
WorkloadReference name:1!s podGroup:2!s podGroupReplicaKey:3s
`,
  'discovery.v1': `
Endpoint addresses:1!*s conditions:2!.EndpointConditions hostname:3?s targetRef:4?.core.v1.ObjectReference deprecatedTopology:5%s nodeName:6?s zone:7?s hints:8?.EndpointHints
EndpointConditions ready:1?b serving:2?b terminating:3?b
EndpointHints forZones:1*.ForZone forNodes:2*.ForNode
EndpointPort name:1?s protocol:2?s port:3?i appProtocol:4?s
EndpointSlice+ metadata:1!.meta.v1.ObjectMeta endpoints:2!*.Endpoint ports:3!*.EndpointPort addressType:4!s
EndpointSliceList+ metadata:1!.meta.v1.ListMeta items:2@*.EndpointSlice
ForNode name:1!s
ForZone name:1!s
`,
  'events.v1': `
Event+ metadata:1!.meta.v1.ObjectMeta eventTime:2!M series:3?.EventSeries reportingController:4s reportingInstance:5s action:6s reason:7s regarding:8!.core.v1.ObjectReference related:9?.core.v1.ObjectReference note:10s type:11s deprecatedSource:12!.core.v1.EventSource deprecatedFirstTimestamp:13!T deprecatedLastTimestamp:14!T deprecatedCount:15i
EventList+ metadata:1!.meta.v1.ListMeta items:2@*.Event
EventSeries count:1!i lastObservedTime:2!M
`,
  'flowcontrol.v1': `
ExemptPriorityLevelConfiguration nominalConcurrencyShares:1?i lendablePercent:2?i
FlowDistinguisherMethod type:1!s
FlowSchema+ metadata:1!.meta.v1.ObjectMeta spec:2!.FlowSchemaSpec status:3!.FlowSchemaStatus
FlowSchemaCondition type:1s status:2s lastTransitionTime:3!T reason:4s message:5s
FlowSchemaList+ metadata:1!.meta.v1.ListMeta items:2@*.FlowSchema
FlowSchemaSpec priorityLevelConfiguration:1!.PriorityLevelConfigurationReference matchingPrecedence:2!i distinguisherMethod:3?.FlowDistinguisherMethod rules:4*.PolicyRulesWithSubjects
FlowSchemaStatus conditions:1*.FlowSchemaCondition
GroupSubject name:1!s
LimitResponse type:1!s queuing:2?.QueuingConfiguration
LimitedPriorityLevelConfiguration nominalConcurrencyShares:1!?i limitResponse:2!.LimitResponse lendablePercent:3?i borrowingLimitPercent:4?i
NonResourcePolicyRule verbs:1!*s nonResourceURLs:6!*s
PolicyRulesWithSubjects subjects:1!*.Subject resourceRules:2*.ResourcePolicyRule nonResourceRules:3*.NonResourcePolicyRule
PriorityLevelConfiguration+ metadata:1!.meta.v1.ObjectMeta spec:2!.PriorityLevelConfigurationSpec status:3!.PriorityLevelConfigurationStatus
PriorityLevelConfigurationCondition type:1s status:2s lastTransitionTime:3!T reason:4s message:5s
PriorityLevelConfigurationList+ metadata:1!.meta.v1.ListMeta items:2@*.PriorityLevelConfiguration
PriorityLevelConfigurationReference name:1!s
PriorityLevelConfigurationSpec type:1!s limited:2?.LimitedPriorityLevelConfiguration exempt:3?.ExemptPriorityLevelConfiguration
PriorityLevelConfigurationStatus conditions:1*.PriorityLevelConfigurationCondition
QueuingConfiguration queues:1!i handSize:2!i queueLengthLimit:3!i
ResourcePolicyRule verbs:1!*s apiGroups:2!*s resources:3!*s clusterScope:4b namespaces:5!*s
ServiceAccountSubject namespace:1!s name:2!s
Subject kind:1!s user:2?.UserSubject group:3?.GroupSubject serviceAccount:4?.ServiceAccountSubject
UserSubject name:1!s
`,
  'meta.v1': `
APIGroup+ name:1!s versions:2!*.GroupVersionForDiscovery preferredVersion:3!.GroupVersionForDiscovery serverAddressByClientCIDRs:4*.ServerAddressByClientCIDR
APIGroupList+ groups:1!*.APIGroup
APIResource name:1!s namespaced:2!b kind:3!s verbs:4!L shortNames:5*s singularName:6!s categories:7*s group:8s version:9s storageVersionHash:10s
APIResourceList+ groupVersion:1!s resources:2!*.APIResource
APIVersions+ versions:1!*s serverAddressByClientCIDRs:2!*.ServerAddressByClientCIDR
Condition type:1!s status:2!s observedGeneration:3l lastTransitionTime:4!T reason:5!s message:6!s
DeleteOptions+ gracePeriodSeconds:1?l preconditions:2?.Preconditions orphanDependents:3?b propagationPolicy:4?s dryRun:5*s ignoreStoreReadErrorWithClusterBreakingPotential:6?b
FieldSelectorRequirement key:1!s operator:2!s values:3*s
GroupVersionForDiscovery groupVersion:1!s version:2!s
GroupVersionKind group:1!s version:2!s kind:3!s
LabelSelector matchLabels:1%s matchExpressions:2*.LabelSelectorRequirement
LabelSelectorRequirement key:1!s operator:2!s values:3*s
ListMeta selfLink:1s resourceVersion:2s continue:3s remainingItemCount:4?l shardInfo:5?.ShardInfo
ManagedFieldsEntry manager:1s operation:2s apiVersion:3s time:4?T fieldsType:6s fieldsV1:7?F subresource:8s
ObjectMeta name:1s generateName:2s namespace:3s selfLink:4s uid:5s resourceVersion:6s generation:7l creationTimestamp:8T deletionTimestamp:9?T deletionGracePeriodSeconds:10?l labels:11%s annotations:12%s ownerReferences:13*.OwnerReference finalizers:14*s managedFields:17*.ManagedFieldsEntry
OwnerReference kind:1!s name:3!s uid:4!s apiVersion:5!s controller:6?b blockOwnerDeletion:7?b
PartialObjectMetadata+ metadata:1!.ObjectMeta
PartialObjectMetadataList+ metadata:1!.ListMeta items:2!*.PartialObjectMetadata=meta.k8s.io/v1
Preconditions uid:1?s resourceVersion:2?s
ServerAddressByClientCIDR clientCIDR:1!s serverAddress:2!s
ShardInfo selector:1!s
Status+ metadata:1!.ListMeta status:2s message:3s reason:4s details:5?.StatusDetails code:6i
StatusCause reason:1s message:2s field:3s
StatusDetails name:1s group:2s kind:3s causes:4*.StatusCause retryAfterSeconds:5i uid:6s
`,
  'meta.v1beta1': `
PartialObjectMetadataList+ items:1!*.meta.v1.PartialObjectMetadata=meta.k8s.io/v1beta1 metadata:2!.meta.v1.ListMeta
`,
  'networking.v1': `
HTTPIngressPath path:1s backend:2!.IngressBackend pathType:3!?s
HTTPIngressRuleValue paths:1!*.HTTPIngressPath
IPAddress+ metadata:1!.meta.v1.ObjectMeta spec:2!.IPAddressSpec
IPAddressList+ metadata:1!.meta.v1.ListMeta items:2@*.IPAddress
IPAddressSpec parentRef:1?.ParentReference
IPBlock cidr:1!s except:2*s
Ingress+ metadata:1!.meta.v1.ObjectMeta spec:2!.IngressSpec status:3!.IngressStatus
IngressBackend resource:3?.core.v1.TypedLocalObjectReference service:4?.IngressServiceBackend
IngressClass+ metadata:1!.meta.v1.ObjectMeta spec:2!.IngressClassSpec
IngressClassList+ metadata:1!.meta.v1.ListMeta items:2@*.IngressClass
IngressClassParametersReference apiGroup:1?s kind:2!s name:3!s scope:4!?s namespace:5?s
IngressClassSpec controller:1s parameters:2?.IngressClassParametersReference
IngressList+ metadata:1!.meta.v1.ListMeta items:2@*.Ingress
IngressLoadBalancerIngress ip:1s hostname:2s ports:4*.IngressPortStatus
IngressLoadBalancerStatus ingress:1*.IngressLoadBalancerIngress
IngressPortStatus port:1!i protocol:2!s error:3?s
IngressRule host:1s :2.IngressRuleValue
IngressRuleValue http:1?.HTTPIngressRuleValue
IngressServiceBackend name:1!s port:2!.ServiceBackendPort
IngressSpec defaultBackend:1?.IngressBackend tls:2*.IngressTLS rules:3*.IngressRule ingressClassName:4?s
IngressStatus loadBalancer:1!.IngressLoadBalancerStatus
IngressTLS hosts:1*s secretName:2s
NetworkPolicy+ metadata:1!.meta.v1.ObjectMeta spec:2!.NetworkPolicySpec
NetworkPolicyEgressRule ports:1*.NetworkPolicyPort to:2*.NetworkPolicyPeer
NetworkPolicyIngressRule ports:1*.NetworkPolicyPort from:2*.NetworkPolicyPeer
NetworkPolicyList+ metadata:1!.meta.v1.ListMeta items:2@*.NetworkPolicy
NetworkPolicyPeer podSelector:1?.meta.v1.LabelSelector namespaceSelector:2?.meta.v1.LabelSelector ipBlock:3?.IPBlock
NetworkPolicyPort protocol:1?s port:2?I endPort:3?i
NetworkPolicySpec podSelector:1!.meta.v1.LabelSelector ingress:2*.NetworkPolicyIngressRule egress:3*.NetworkPolicyEgressRule policyTypes:4*s
ParentReference group:1s resource:2s namespace:3s name:4s
ServiceBackendPort name:1s number:2i
ServiceCIDR+ metadata:1!.meta.v1.ObjectMeta spec:2!.ServiceCIDRSpec status:3!.ServiceCIDRStatus
ServiceCIDRList+ metadata:1!.meta.v1.ListMeta items:2@*.ServiceCIDR
ServiceCIDRSpec cidrs:1*s
ServiceCIDRStatus conditions:1*.meta.v1.Condition
`,
  'networking.v1beta1': `
IPAddress+ metadata:1!.meta.v1.ObjectMeta spec:2!.IPAddressSpec
IPAddressList+ metadata:1!.meta.v1.ListMeta items:2@*.IPAddress
IPAddressSpec parentRef:1?.ParentReference
ParentReference group:1s resource:2s namespace:3s name:4s
ServiceCIDR+ metadata:1!.meta.v1.ObjectMeta spec:2!.ServiceCIDRSpec status:3!.ServiceCIDRStatus
ServiceCIDRList+ metadata:1!.meta.v1.ListMeta items:2@*.ServiceCIDR
ServiceCIDRSpec cidrs:1*s
ServiceCIDRStatus conditions:1*.meta.v1.Condition
`,
  'node.v1': `
Overhead podFixed:1%Q
RuntimeClass+ metadata:1!.meta.v1.ObjectMeta handler:2!s overhead:3?.Overhead scheduling:4?.Scheduling
RuntimeClassList+ metadata:1!.meta.v1.ListMeta items:2@*.RuntimeClass
Scheduling nodeSelector:1%s tolerations:2*.core.v1.Toleration
`,
  'policy.v1': `
Eviction+ metadata:1!.meta.v1.ObjectMeta deleteOptions:2?.meta.v1.DeleteOptions
PodDisruptionBudget+ metadata:1!.meta.v1.ObjectMeta spec:2!.PodDisruptionBudgetSpec status:3!.PodDisruptionBudgetStatus
PodDisruptionBudgetList+ metadata:1!.meta.v1.ListMeta items:2@*.PodDisruptionBudget
PodDisruptionBudgetSpec minAvailable:1?I selector:2?.meta.v1.LabelSelector maxUnavailable:3?I unhealthyPodEvictionPolicy:4?s
PodDisruptionBudgetStatus observedGeneration:1l disruptedPods:2%T disruptionsAllowed:3!i currentHealthy:4!i desiredHealthy:5!i expectedPods:6!i conditions:7*.meta.v1.Condition
`,
  'rbac.v1': `
AggregationRule clusterRoleSelectors:1*.meta.v1.LabelSelector
ClusterRole+ metadata:1!.meta.v1.ObjectMeta rules:2!*.PolicyRule aggregationRule:3?.AggregationRule
ClusterRoleBinding+ metadata:1!.meta.v1.ObjectMeta subjects:2*.Subject roleRef:3!.RoleRef
ClusterRoleBindingList+ metadata:1!.meta.v1.ListMeta items:2@*.ClusterRoleBinding
ClusterRoleList+ metadata:1!.meta.v1.ListMeta items:2@*.ClusterRole
PolicyRule verbs:1!*s apiGroups:2*s resources:3*s resourceNames:4*s nonResourceURLs:5*s
Role+ metadata:1!.meta.v1.ObjectMeta rules:2!*.PolicyRule
RoleBinding+ metadata:1!.meta.v1.ObjectMeta subjects:2*.Subject roleRef:3!.RoleRef
RoleBindingList+ metadata:1!.meta.v1.ListMeta items:2@*.RoleBinding
RoleList+ metadata:1!.meta.v1.ListMeta items:2@*.Role
RoleRef apiGroup:1!s kind:2!s name:3!s
Subject kind:1!s apiGroup:2s name:3!s namespace:4s
`,
  'resource.v1': `
AllocatedDeviceStatus driver:1!s pool:2!s device:3!s conditions:4!*.meta.v1.Condition data:5?R networkData:6?.NetworkDeviceData shareID:7?s
AllocationResult devices:1!.DeviceAllocationResult nodeSelector:3?.core.v1.NodeSelector allocationTimestamp:5?T
CELDeviceSelector expression:1!s
CapacityRequestPolicy default:1!?Q validValues:3*Q validRange:4?.CapacityRequestPolicyRange
CapacityRequestPolicyRange min:1?Q max:2?Q step:3?Q
CapacityRequirements requests:1%Q
Counter value:1!Q
CounterSet name:1!s counters:2%.Counter
Device name:1!s attributes:2%.DeviceAttribute capacity:3%.DeviceCapacity consumesCounters:4*.DeviceCounterConsumption nodeName:5?s nodeSelector:6?.core.v1.NodeSelector allNodes:7?b taints:8*.DeviceTaint bindsToNode:9?b bindingConditions:10*s bindingFailureConditions:11*s allowMultipleAllocations:12?b nodeAllocatableResourceMappings:13%.NodeAllocatableResourceMapping
DeviceAllocationConfiguration source:1!s requests:2*s :3.DeviceConfiguration
DeviceAllocationResult results:1*.DeviceRequestAllocationResult config:2*.DeviceAllocationConfiguration
DeviceAttribute int:2?l bool:3?b string:4?s version:5?s ints:6*l bools:7*b strings:8*s versions:9*s
DeviceCapacity value:1!Q requestPolicy:2?.CapacityRequestPolicy
DeviceClaim requests:1!*.DeviceRequest constraints:2*.DeviceConstraint config:3*.DeviceClaimConfiguration
DeviceClaimConfiguration requests:1*s :2.DeviceConfiguration
DeviceClass+ metadata:1!.meta.v1.ObjectMeta spec:2!.DeviceClassSpec
DeviceClassConfiguration :1.DeviceConfiguration
DeviceClassList+ metadata:1!.meta.v1.ListMeta items:2@*.DeviceClass
DeviceClassSpec selectors:1*.DeviceSelector config:2*.DeviceClassConfiguration extendedResourceName:4?s
DeviceConfiguration opaque:1?.OpaqueDeviceConfiguration
DeviceConstraint requests:1*s matchAttribute:2?s distinctAttribute:3?s
DeviceCounterConsumption counterSet:1!s counters:2%.Counter
DeviceRequest name:1!s exactly:2?.ExactDeviceRequest firstAvailable:3*.DeviceSubRequest
DeviceRequestAllocationResult request:1!s driver:2!s pool:3!s device:4!s adminAccess:5?b tolerations:6*.DeviceToleration bindingConditions:7*s bindingFailureConditions:8*s shareID:9?s consumedCapacity:10%Q
DeviceSelector cel:1?.CELDeviceSelector
DeviceSubRequest name:1!s deviceClassName:2!s selectors:3*.DeviceSelector allocationMode:4s count:5l tolerations:6*.DeviceToleration capacity:7?.CapacityRequirements
DeviceTaint key:1!s value:2s effect:3!s timeAdded:4?T
DeviceToleration key:1s operator:2s value:3s effect:4s tolerationSeconds:5?l
ExactDeviceRequest deviceClassName:1!s selectors:2*.DeviceSelector allocationMode:3s count:4l adminAccess:5?b tolerations:6*.DeviceToleration capacity:7?.CapacityRequirements
NetworkDeviceData interfaceName:1s ips:2*s hardwareAddress:3s
NodeAllocatableResourceMapping capacityKey:1?s allocationMultiplier:2?Q
OpaqueDeviceConfiguration driver:1!s parameters:2!R
ResourceClaim+ metadata:1!.meta.v1.ObjectMeta spec:2!.ResourceClaimSpec status:3!.ResourceClaimStatus
ResourceClaimConsumerReference apiGroup:1s resource:3!s name:4!s uid:5!s
ResourceClaimList+ metadata:1!.meta.v1.ListMeta items:2@*.ResourceClaim
ResourceClaimSpec devices:1!.DeviceClaim
ResourceClaimStatus allocation:1?.AllocationResult reservedFor:2*.ResourceClaimConsumerReference devices:4*.AllocatedDeviceStatus
ResourceClaimTemplate+ metadata:1!.meta.v1.ObjectMeta spec:2!.ResourceClaimTemplateSpec
ResourceClaimTemplateList+ metadata:1!.meta.v1.ListMeta items:2@*.ResourceClaimTemplate
ResourceClaimTemplateSpec metadata:1!.meta.v1.ObjectMeta spec:2!.ResourceClaimSpec
ResourcePool name:1!s generation:2!l resourceSliceCount:3!l
ResourceSlice+ metadata:1!.meta.v1.ObjectMeta spec:2!.ResourceSliceSpec
ResourceSliceList+ metadata:1!.meta.v1.ListMeta items:2@*.ResourceSlice
ResourceSliceSpec driver:1!s pool:2!.ResourcePool nodeName:3?s nodeSelector:4?.core.v1.NodeSelector allNodes:5?b devices:6*.Device perDeviceNodeSelection:7?b sharedCounters:8*.CounterSet
`,
  'resource.v1alpha3': `
CELDeviceSelector expression:1!s
DeviceSelector cel:1?.CELDeviceSelector
DeviceTaint key:1!s value:2s effect:3!s timeAdded:4?T
DeviceTaintRule+ metadata:1!.meta.v1.ObjectMeta spec:2!.DeviceTaintRuleSpec status:3!.DeviceTaintRuleStatus
DeviceTaintRuleList+ metadata:1!.meta.v1.ListMeta items:2@*.DeviceTaintRule
DeviceTaintRuleSpec deviceSelector:1?.DeviceTaintSelector taint:2!.DeviceTaint
DeviceTaintRuleStatus conditions:1*.meta.v1.Condition
DeviceTaintSelector deviceClassName:1?s driver:2?s pool:3?s device:4?s selectors:5*.DeviceSelector
PoolStatus driver:1s poolName:2s nodeName:3?s totalDevices:4?i allocatedDevices:5?i availableDevices:6?i unavailableDevices:7?i resourceSliceCount:8?i generation:9!l validationError:10?s
ResourcePoolStatusRequest+ metadata:1!.meta.v1.ObjectMeta spec:2!.ResourcePoolStatusRequestSpec status:3?.ResourcePoolStatusRequestStatus
ResourcePoolStatusRequestList+ metadata:1!.meta.v1.ListMeta items:2@*.ResourcePoolStatusRequest
ResourcePoolStatusRequestSpec driver:1!s poolName:2?s limit:3?i
ResourcePoolStatusRequestStatus pools:2*.PoolStatus conditions:3*.meta.v1.Condition poolCount:6?i
`,
  'resource.v1beta1': `
AllocatedDeviceStatus driver:1!s pool:2!s device:3!s conditions:4!*.meta.v1.Condition data:5?R networkData:6?.NetworkDeviceData shareID:7?s
AllocationResult devices:1!.DeviceAllocationResult nodeSelector:3?.core.v1.NodeSelector allocationTimestamp:5?T
BasicDevice attributes:1%.DeviceAttribute capacity:2%.DeviceCapacity consumesCounters:3*.DeviceCounterConsumption nodeName:4?s nodeSelector:5?.core.v1.NodeSelector allNodes:6?b taints:7*.DeviceTaint bindsToNode:8?b bindingConditions:9*s bindingFailureConditions:10*s allowMultipleAllocations:11?b nodeAllocatableResourceMappings:12%.NodeAllocatableResourceMapping
CELDeviceSelector expression:1!s
CapacityRequestPolicy default:1!?Q validValues:3*Q validRange:4?.CapacityRequestPolicyRange
CapacityRequestPolicyRange min:1?Q max:2?Q step:3?Q
CapacityRequirements requests:1%Q
Counter value:1!Q
CounterSet name:1!s counters:2%.Counter
Device name:1!s basic:2?.BasicDevice
DeviceAllocationConfiguration source:1!s requests:2*s :3.DeviceConfiguration
DeviceAllocationResult results:1*.DeviceRequestAllocationResult config:2*.DeviceAllocationConfiguration
DeviceAttribute int:2?l bool:3?b string:4?s version:5?s ints:6*l bools:7*b strings:8*s versions:9*s
DeviceCapacity value:1!Q requestPolicy:2?.CapacityRequestPolicy
DeviceClaim requests:1!*.DeviceRequest constraints:2*.DeviceConstraint config:3*.DeviceClaimConfiguration
DeviceClaimConfiguration requests:1*s :2.DeviceConfiguration
DeviceClass+ metadata:1!.meta.v1.ObjectMeta spec:2!.DeviceClassSpec
DeviceClassConfiguration :1.DeviceConfiguration
DeviceClassList+ metadata:1!.meta.v1.ListMeta items:2@*.DeviceClass
DeviceClassSpec selectors:1*.DeviceSelector config:2*.DeviceClassConfiguration extendedResourceName:4?s
DeviceConfiguration opaque:1?.OpaqueDeviceConfiguration
DeviceConstraint requests:1*s matchAttribute:2?s distinctAttribute:3?s
DeviceCounterConsumption counterSet:1!s counters:2%.Counter
DeviceRequest name:1!s deviceClassName:2!s selectors:3*.DeviceSelector allocationMode:4s count:5l adminAccess:6?b firstAvailable:7*.DeviceSubRequest tolerations:8*.DeviceToleration capacity:9?.CapacityRequirements
DeviceRequestAllocationResult request:1!s driver:2!s pool:3!s device:4!s adminAccess:5?b tolerations:6*.DeviceToleration bindingConditions:7*s bindingFailureConditions:8*s shareID:9?s consumedCapacity:10%Q
DeviceSelector cel:1?.CELDeviceSelector
DeviceSubRequest name:1!s deviceClassName:2!s selectors:3*.DeviceSelector allocationMode:4s count:5l tolerations:7*.DeviceToleration capacity:8?.CapacityRequirements
DeviceTaint key:1!s value:2s effect:3!s timeAdded:4?T
DeviceToleration key:1s operator:2s value:3s effect:4s tolerationSeconds:5?l
NetworkDeviceData interfaceName:1s ips:2*s hardwareAddress:3s
NodeAllocatableResourceMapping capacityKey:1?s allocationMultiplier:2?Q
OpaqueDeviceConfiguration driver:1!s parameters:2!R
ResourceClaim+ metadata:1!.meta.v1.ObjectMeta spec:2!.ResourceClaimSpec status:3!.ResourceClaimStatus
ResourceClaimConsumerReference apiGroup:1s resource:3!s name:4!s uid:5!s
ResourceClaimList+ metadata:1!.meta.v1.ListMeta items:2@*.ResourceClaim
ResourceClaimSpec devices:1!.DeviceClaim
ResourceClaimStatus allocation:1?.AllocationResult reservedFor:2*.ResourceClaimConsumerReference devices:4*.AllocatedDeviceStatus
ResourceClaimTemplate+ metadata:1!.meta.v1.ObjectMeta spec:2!.ResourceClaimTemplateSpec
ResourceClaimTemplateList+ metadata:1!.meta.v1.ListMeta items:2@*.ResourceClaimTemplate
ResourceClaimTemplateSpec metadata:1!.meta.v1.ObjectMeta spec:2!.ResourceClaimSpec
ResourcePool name:1!s generation:2!l resourceSliceCount:3!l
ResourceSlice+ metadata:1!.meta.v1.ObjectMeta spec:2!.ResourceSliceSpec
ResourceSliceList+ metadata:1!.meta.v1.ListMeta items:2@*.ResourceSlice
ResourceSliceSpec driver:1!s pool:2!.ResourcePool nodeName:3s nodeSelector:4?.core.v1.NodeSelector allNodes:5b devices:6*.Device perDeviceNodeSelection:7?b sharedCounters:8*.CounterSet
`,
  'resource.v1beta2': `
AllocatedDeviceStatus driver:1!s pool:2!s device:3!s conditions:4!*.meta.v1.Condition data:5?R networkData:6?.NetworkDeviceData shareID:7?s
AllocationResult devices:1!.DeviceAllocationResult nodeSelector:3?.core.v1.NodeSelector allocationTimestamp:5?T
CELDeviceSelector expression:1!s
CapacityRequestPolicy default:1!?Q validValues:3*Q validRange:4?.CapacityRequestPolicyRange
CapacityRequestPolicyRange min:1?Q max:2?Q step:3?Q
CapacityRequirements requests:1%Q
Counter value:1!Q
CounterSet name:1!s counters:2%.Counter
Device name:1!s attributes:2%.DeviceAttribute capacity:3%.DeviceCapacity consumesCounters:4*.DeviceCounterConsumption nodeName:5?s nodeSelector:6?.core.v1.NodeSelector allNodes:7?b taints:8*.DeviceTaint bindsToNode:9?b bindingConditions:10*s bindingFailureConditions:11*s allowMultipleAllocations:12?b nodeAllocatableResourceMappings:13%.NodeAllocatableResourceMapping
DeviceAllocationConfiguration source:1!s requests:2*s :3.DeviceConfiguration
DeviceAllocationResult results:1*.DeviceRequestAllocationResult config:2*.DeviceAllocationConfiguration
DeviceAttribute int:2?l bool:3?b string:4?s version:5?s ints:6*l bools:7*b strings:8*s versions:9*s
DeviceCapacity value:1!Q requestPolicy:2?.CapacityRequestPolicy
DeviceClaim requests:1!*.DeviceRequest constraints:2*.DeviceConstraint config:3*.DeviceClaimConfiguration
DeviceClaimConfiguration requests:1*s :2.DeviceConfiguration
DeviceClass+ metadata:1!.meta.v1.ObjectMeta spec:2!.DeviceClassSpec
DeviceClassConfiguration :1.DeviceConfiguration
DeviceClassList+ metadata:1!.meta.v1.ListMeta items:2@*.DeviceClass
DeviceClassSpec selectors:1*.DeviceSelector config:2*.DeviceClassConfiguration extendedResourceName:4?s
DeviceConfiguration opaque:1?.OpaqueDeviceConfiguration
DeviceConstraint requests:1*s matchAttribute:2?s distinctAttribute:3?s
DeviceCounterConsumption counterSet:1!s counters:2%.Counter
DeviceRequest name:1!s exactly:2?.ExactDeviceRequest firstAvailable:3*.DeviceSubRequest
DeviceRequestAllocationResult request:1!s driver:2!s pool:3!s device:4!s adminAccess:5?b tolerations:6*.DeviceToleration bindingConditions:7*s bindingFailureConditions:8*s shareID:9?s consumedCapacity:10%Q
DeviceSelector cel:1?.CELDeviceSelector
DeviceSubRequest name:1!s deviceClassName:2!s selectors:3*.DeviceSelector allocationMode:4s count:5l tolerations:6*.DeviceToleration capacity:7?.CapacityRequirements
DeviceTaint key:1!s value:2s effect:3!s timeAdded:4?T
DeviceTaintRule+ metadata:1!.meta.v1.ObjectMeta spec:2!.DeviceTaintRuleSpec status:3!.DeviceTaintRuleStatus
DeviceTaintRuleList+ metadata:1!.meta.v1.ListMeta items:2@*.DeviceTaintRule
DeviceTaintRuleSpec deviceSelector:1?.DeviceTaintSelector taint:2!.DeviceTaint
DeviceTaintRuleStatus conditions:1*.meta.v1.Condition
DeviceTaintSelector driver:2?s pool:3?s device:4?s
DeviceToleration key:1s operator:2s value:3s effect:4s tolerationSeconds:5?l
ExactDeviceRequest deviceClassName:1!s selectors:2*.DeviceSelector allocationMode:3s count:4l adminAccess:5?b tolerations:6*.DeviceToleration capacity:7?.CapacityRequirements
NetworkDeviceData interfaceName:1s ips:2*s hardwareAddress:3s
NodeAllocatableResourceMapping capacityKey:1?s allocationMultiplier:2?Q
OpaqueDeviceConfiguration driver:1!s parameters:2!R
ResourceClaim+ metadata:1!.meta.v1.ObjectMeta spec:2!.ResourceClaimSpec status:3!.ResourceClaimStatus
ResourceClaimConsumerReference apiGroup:1s resource:3!s name:4!s uid:5!s
ResourceClaimList+ metadata:1!.meta.v1.ListMeta items:2@*.ResourceClaim
ResourceClaimSpec devices:1!.DeviceClaim
ResourceClaimStatus allocation:1?.AllocationResult reservedFor:2*.ResourceClaimConsumerReference devices:4*.AllocatedDeviceStatus
ResourceClaimTemplate+ metadata:1!.meta.v1.ObjectMeta spec:2!.ResourceClaimTemplateSpec
ResourceClaimTemplateList+ metadata:1!.meta.v1.ListMeta items:2@*.ResourceClaimTemplate
ResourceClaimTemplateSpec metadata:1!.meta.v1.ObjectMeta spec:2!.ResourceClaimSpec
ResourcePool name:1!s generation:2!l resourceSliceCount:3!l
ResourceSlice+ metadata:1!.meta.v1.ObjectMeta spec:2!.ResourceSliceSpec
ResourceSliceList+ metadata:1!.meta.v1.ListMeta items:2@*.ResourceSlice
ResourceSliceSpec driver:1!s pool:2!.ResourcePool nodeName:3?s nodeSelector:4?.core.v1.NodeSelector allNodes:5?b devices:6*.Device perDeviceNodeSelection:7?b sharedCounters:8*.CounterSet
`,
  'scheduling.v1': `
PriorityClass+ metadata:1!.meta.v1.ObjectMeta value:2!i globalDefault:3b description:4s preemptionPolicy:5?s
PriorityClassList+ metadata:1!.meta.v1.ListMeta items:2@*.PriorityClass
`,
  'storage.v1': `
CSIDriver+ metadata:1!.meta.v1.ObjectMeta spec:2!.CSIDriverSpec
CSIDriverList+ metadata:1!.meta.v1.ListMeta items:2@*.CSIDriver
CSIDriverSpec attachRequired:1?b podInfoOnMount:2?b volumeLifecycleModes:3*s storageCapacity:4?b fsGroupPolicy:5?s tokenRequests:6*.TokenRequest requiresRepublish:7?b seLinuxMount:8?b nodeAllocatableUpdatePeriodSeconds:9?l serviceAccountTokenInSecrets:10?b preventPodSchedulingIfMissing:11?b
CSINode+ metadata:1!.meta.v1.ObjectMeta spec:2!.CSINodeSpec
CSINodeDriver name:1!s nodeID:2!s topologyKeys:3!*s allocatable:4?.VolumeNodeResources
CSINodeList+ metadata:1!.meta.v1.ListMeta items:2@*.CSINode
CSINodeSpec drivers:1!*.CSINodeDriver
CSIStorageCapacity+ metadata:1!.meta.v1.ObjectMeta nodeTopology:2?.meta.v1.LabelSelector storageClassName:3!s capacity:4?Q maximumVolumeSize:5?Q
CSIStorageCapacityList+ metadata:1!.meta.v1.ListMeta items:2@*.CSIStorageCapacity
StorageClass+ metadata:1!.meta.v1.ObjectMeta provisioner:2!s parameters:3%s reclaimPolicy:4?s mountOptions:5*s allowVolumeExpansion:6?b volumeBindingMode:7?s allowedTopologies:8*.core.v1.TopologySelectorTerm
StorageClassList+ metadata:1!.meta.v1.ListMeta items:2@*.StorageClass
TokenRequest audience:1!s expirationSeconds:2?l
VolumeAttachment+ metadata:1!.meta.v1.ObjectMeta spec:2!.VolumeAttachmentSpec status:3!.VolumeAttachmentStatus
VolumeAttachmentList+ metadata:1!.meta.v1.ListMeta items:2@*.VolumeAttachment
VolumeAttachmentSource persistentVolumeName:1?s inlineVolumeSpec:2?.core.v1.PersistentVolumeSpec
VolumeAttachmentSpec attacher:1!s source:2!.VolumeAttachmentSource nodeName:3!s
VolumeAttachmentStatus attached:1!b attachmentMetadata:2%s attachError:3?.VolumeError detachError:4?.VolumeError
VolumeAttributesClass+ metadata:1!.meta.v1.ObjectMeta driverName:2!s parameters:3%s
VolumeAttributesClassList+ metadata:1!.meta.v1.ListMeta items:2@*.VolumeAttributesClass
VolumeError time:1!T message:2s errorCode:3?i
VolumeNodeResources count:1?i
`,
  'storage.v1alpha1': `
VolumeAttributesClass+ metadata:1!.meta.v1.ObjectMeta driverName:2!s parameters:3%s
VolumeAttributesClassList+ metadata:1!.meta.v1.ListMeta items:2@*.VolumeAttributesClass
`,
  'storage.v1beta1': `
VolumeAttributesClass+ metadata:1!.meta.v1.ObjectMeta driverName:2!s parameters:3%s
VolumeAttributesClassList+ metadata:1!.meta.v1.ListMeta items:2@*.VolumeAttributesClass
`,
};

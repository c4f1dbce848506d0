{{- define "svc.labels" -}}
app.kubernetes.io/name: svc
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "svc.selector" -}}
app.kubernetes.io/name: svc
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* What server and worker both read. */}}
{{- define "svc.env" -}}
- name: SVC_PUBLIC_URL
  value: {{ .Values.publicUrl | quote }}
- name: SVC_DATABASE_URL
  valueFrom: { secretKeyRef: { name: {{ .Values.secret | quote }}, key: database-url } }
- name: SVC_SECRETS__KEY
  valueFrom: { secretKeyRef: { name: {{ .Values.secret | quote }}, key: secrets-key } }
- name: SVC_STORAGE__LOCATION
  value: {{ .Values.storage.location | quote }}
{{- with .Values.storage.s3.endpoint }}
- name: SVC_STORAGE__S3_ENDPOINT
  value: {{ . | quote }}
{{- end }}
{{- with .Values.storage.s3.region }}
- name: SVC_STORAGE__S3_REGION
  value: {{ . | quote }}
{{- end }}
{{- if .Values.storage.s3.pathStyle }}
- name: SVC_STORAGE__S3_PATH_STYLE
  value: "true"
{{- end }}
{{- with .Values.storage.s3.sts }}
{{- if .role }}
- name: SVC_STORAGE__S3_STS_ROLE
  value: {{ .role | quote }}
- name: SVC_STORAGE__S3_STS_MINUTES
  value: {{ .minutes | quote }}
{{- with .endpoint }}
- name: SVC_STORAGE__S3_STS_ENDPOINT
  value: {{ . | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- if and .Values.storage.s3.keysInSecret (hasPrefix "s3://" .Values.storage.location) }}
- name: SVC_STORAGE__S3_ACCESS_KEY_ID
  valueFrom: { secretKeyRef: { name: {{ .Values.secret | quote }}, key: s3-access-key-id } }
- name: SVC_STORAGE__S3_SECRET_ACCESS_KEY
  valueFrom: { secretKeyRef: { name: {{ .Values.secret | quote }}, key: s3-secret-access-key } }
{{- end }}
{{- if .Values.storage.google.keyInSecret }}
- name: SVC_STORAGE__GOOGLE_KEY
  valueFrom: { secretKeyRef: { name: {{ .Values.secret | quote }}, key: google-key } }
{{- end }}
{{- if .Values.storage.google.tokens }}
- name: SVC_STORAGE__GOOGLE_TOKENS
  value: "true"
{{- end }}
{{- if .Values.storage.azure.keyInSecret }}
- name: SVC_STORAGE__AZURE_ACCOUNT_KEY
  valueFrom: { secretKeyRef: { name: {{ .Values.secret | quote }}, key: azure-account-key } }
{{- end }}
{{- with .Values.storage.azure.sasMinutes }}
- name: SVC_STORAGE__AZURE_SAS_MINUTES
  value: {{ . | quote }}
{{- end }}
{{- with .Values.trino }}
{{- if .url }}
- name: SVC_QUERY__ENGINE
  value: trino
- name: SVC_QUERY__TRINO_URL
  value: {{ .url | quote }}
- name: SVC_QUERY__TRINO_USER
  value: {{ .user | quote }}
- name: SVC_QUERY__TRINO_CATALOG
  value: {{ .catalog | quote }}
{{- if .passwordInSecret }}
- name: SVC_QUERY__TRINO_PASSWORD
  valueFrom: { secretKeyRef: { name: {{ $.Values.secret | quote }}, key: trino-password } }
{{- end }}
{{- end }}
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{/* What both pods have: no service links (their names begin with SVC_), no token of the cluster, no root. */}}
{{- define "svc.pod" -}}
enableServiceLinks: false
automountServiceAccountToken: false
serviceAccountName: {{ .Release.Name }}-svc
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "svc.container" -}}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
  {{- if .isolation }}
  # bubblewrap makes namespaces, mounts and a /proc of its own.
  seccompProfile: { type: Unconfined }
  procMount: Unmasked
  {{- end }}
volumeMounts:
  - { name: home, mountPath: /var/lib/svc }
  - { name: tmp, mountPath: /tmp }
{{- end }}

{{- define "svc.scaling" -}}
scaleUp: { stabilizationWindowSeconds: 0 }
scaleDown:
  stabilizationWindowSeconds: {{ .scaleDownSeconds }}
  policies: [{ type: Pods, value: 1, periodSeconds: 60 }]
{{- end }}

{{/* What both kinds of pods connect to. */}}
{{- define "svc.egress" -}}
- ports: [{ port: 53, protocol: UDP }, { port: 53, protocol: TCP }]
{{- range list .database .storage .web }}
{{- if .ports }}
- ports:
    {{- range .ports }}
    - port: {{ . }}
    {{- end }}
  {{- with .to }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- end }}
{{- with .extraEgress }}
{{ toYaml . }}
{{- end }}
{{- end }}

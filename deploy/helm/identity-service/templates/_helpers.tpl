{{- define "identity-service.name" -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "identity-service.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "identity-service.labels" -}}
{{ include "identity-service.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- /* The host of baseUrl, without its port. */ -}}
{{- define "identity-service.host" -}}
{{- (splitList ":" (urlParse .Values.baseUrl).host) | first -}}
{{- end -}}

{{- /* Seconds that a stop may take: the notice, 12 s for requests in flight, and some to spare. */ -}}
{{- define "identity-service.grace" -}}
{{- add (trimSuffix "s" .Values.shutdownNotice | int) 20 -}}
{{- end -}}

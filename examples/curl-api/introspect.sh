curl --fail-with-body --silent --show-error \
  --user 'demo-client':"$CLIENT_SECRET" \
  --data-urlencode token="$TOKEN" \
  'http://localhost:8080/oauth/v2/introspect'

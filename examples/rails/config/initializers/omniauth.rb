SWD.url_builder = URI::HTTP # http: on this machine only
Rails.application.config.middleware.use OmniAuth::Builder do
  provider :openid_connect, {
    name: :identity,
    issuer: ENV.fetch("ISSUER", "http://localhost:8080"),
    discovery: true,
    response_type: :code,
    scope: %i[openid profile email],
    pkce: true,
    client_options: {
      identifier: ENV.fetch("CLIENT_ID", "demo-client"),
      secret: ENV["CLIENT_SECRET"],
      redirect_uri: "http://localhost:3010/auth/identity/callback"
    }
  }
end

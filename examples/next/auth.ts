import NextAuth from "next-auth";

// The app's redirect URI is https://<your host>/api/auth/callback/identity; AUTH_SECRET is read by itself.
export const { handlers, auth, signIn, signOut } = NextAuth({
  providers: [
    {
      id: "identity",
      name: "Identity",
      type: "oidc",
      issuer: process.env.ISSUER ?? "http://localhost:8080",
      clientId: process.env.CLIENT_ID ?? "demo-client",
      clientSecret: process.env.CLIENT_SECRET,
      checks: ["pkce", "state", "nonce"],
      authorization: { params: { scope: "openid profile email" } },
    },
  ],
});

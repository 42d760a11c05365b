// APIs on frameworks that verify tokens themselves and only need configuration.
import { quoted, type Snippet, withEnvironment } from "./snippet";

const springController = {
  name: "src/main/java/demo/HelloController.java",
  code: `package demo;

import java.security.Principal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class HelloController {
    @GetMapping("/")
    String hello(Principal caller) {
        return "Hello " + caller.getName();
    }
}
`,
};

export const springApi: Snippet = {
  id: "spring-api",
  title: "Java · Spring Security",
  kinds: ["api"],
  way: "introspection",
  install: undefined,
  run: withEnvironment("./mvnw spring-boot:run"),
  files: ({ issuer, clientId }) => [
    {
      name: "src/main/resources/application.yaml",
      code: `# Needs org.springframework.boot:spring-boot-starter-oauth2-resource-server,
# which Spring Boot 4 calls spring-boot-starter-security-oauth2-resource-server.
spring:
  security:
    oauth2:
      resourceserver:
        opaquetoken:
          introspection-uri: ${quoted(`${issuer}/oauth/v2/introspect`)}
          client-id: ${quoted(clientId)}
          client-secret: \${CLIENT_SECRET}
`,
    },
    springController,
  ],
};

export const springJwt: Snippet = {
  id: "spring-jwt",
  title: "Java · Spring Security",
  kinds: ["api"],
  way: "jwt",
  install: undefined,
  run: "./mvnw spring-boot:run",
  files: ({ issuer, projectId }) => [
    {
      name: "src/main/java/demo/TokenRules.java",
      code: `// Needs org.springframework.boot:spring-boot-starter-oauth2-resource-server,
// which Spring Boot 4 calls spring-boot-starter-security-oauth2-resource-server.
package demo;

import java.util.Objects;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;

@Configuration
class TokenRules {
    @Bean
    JwtDecoder jwtDecoder() {
        // Type at+jwt (RFC 9068), which Spring does not take by itself: the validator checks it instead.
        NimbusJwtDecoder decoder = NimbusJwtDecoder.withIssuerLocation(${quoted(issuer)}).validateType(false).build();
        decoder.setJwtValidator(JwtValidators.createAtJwtValidator()
            .issuer(${quoted(issuer)})
            .audience(${quoted(projectId)})
            .validators(rules -> rules.put("client_id", new JwtClaimValidator<String>("client_id", Objects::nonNull)))
            .build());
        return decoder;
    }
}
`,
    },
    springController,
  ],
};

export const springIssuer: Snippet = {
  id: "spring-issuer",
  title: "Java · Spring Boot, issuer-uri",
  kinds: ["api"],
  way: "jwt",
  install: undefined,
  run: "./mvnw spring-boot:run",
  files: ({ issuer, projectId }) => [
    {
      name: "src/main/resources/application.yaml",
      code: `# Takes JWTs of the type JWT alone, which the app sets whose tokens it checks.
spring:
  security:
    oauth2:
      resourceserver:
        jwt:
          issuer-uri: ${quoted(issuer)}
          audiences: ${quoted(projectId)}
`,
    },
    springController,
  ],
};

export const dovecot: Snippet = {
  id: "dovecot",
  title: "Dovecot",
  kinds: ["api"],
  way: "introspection",
  install: undefined,
  run: withEnvironment('echo "$CLIENT_SECRET" # goes into the file above; then: doveadm reload'),
  files: ({ issuer, clientId }) => [
    {
      name: "/etc/dovecot/dovecot-oauth2.conf.ext",
      code: `# Id and secret stand in the address: introspection takes them in the Basic header alone.
introspection_mode = post
introspection_url = ${withUser(`${issuer}/oauth/v2/introspect`, clientId)}
username_attribute = username
active_attribute = active
active_value = true
`,
    },
  ],
};

export const passportZitadel: Snippet = {
  id: "passport-zitadel",
  readsKey: true,
  title: "Node.js · passport-zitadel",
  kinds: ["api"],
  way: "introspection",
  install: "npm install express passport passport-zitadel",
  run: "node api.mjs",
  files: ({ issuer }) => [
    {
      name: "api.mjs",
      code: `import { readFileSync } from "node:fs";
import express from "express";
import passport from "passport";
import { ZitadelIntrospectionStrategy } from "passport-zitadel";

const profile = JSON.parse(readFileSync("key.json", "utf8"));
const authorization = { type: "jwt-profile", profile };
passport.use(new ZitadelIntrospectionStrategy({ authority: ${quoted(issuer)}, authorization }));

const app = express();
app.use(passport.authenticate("zitadel-introspection", { session: false }));
app.get("/", ({ user }, response) => response.json({ hello: user.sub, scope: user.scope }));
app.listen(Number(process.env.PORT ?? 3000), "127.0.0.1");
`,
    },
  ],
};

export const aspNetApi: Snippet = {
  id: "aspnet-api",
  title: "C# · ASP.NET Core",
  kinds: ["api"],
  way: "introspection",
  install: "dotnet add package Duende.AspNetCore.Authentication.OAuth2Introspection",
  run: withEnvironment("dotnet run"),
  files: ({ issuer, clientId }) => [
    {
      name: "Program.cs",
      code: `using Duende.AspNetCore.Authentication.OAuth2Introspection;
using Duende.IdentityModel.Client;

var builder = WebApplication.CreateBuilder(args);
builder.Services
    .AddAuthentication(OAuth2IntrospectionDefaults.AuthenticationScheme)
    .AddOAuth2Introspection(options =>
    {
        options.IntrospectionEndpoint = ${quoted(`${issuer}/oauth/v2/introspect`)};
        options.ClientId = ${quoted(clientId)};
        options.ClientSecret = Environment.GetEnvironmentVariable("CLIENT_SECRET");
        options.ClientCredentialStyle = ClientCredentialStyle.AuthorizationHeader;
    });
builder.Services.AddAuthorization();

var app = builder.Build();
app.UseAuthentication();
app.UseAuthorization();
app.MapGet("/", (HttpContext context) => $"Hello {context.User.FindFirst("sub")?.Value}").RequireAuthorization();
app.Run();
`,
    },
  ],
};

export const aspNetJwt: Snippet = {
  id: "aspnet-jwt",
  title: "C# · ASP.NET Core",
  kinds: ["api"],
  way: "jwt",
  install: "dotnet add package Microsoft.AspNetCore.Authentication.JwtBearer",
  run: "dotnet run",
  files: ({ issuer, projectId }) => [
    {
      name: "Program.cs",
      code: `using Microsoft.AspNetCore.Authentication.JwtBearer;

var builder = WebApplication.CreateBuilder(args);
builder.Services
    .AddAuthentication(JwtBearerDefaults.AuthenticationScheme)
    .AddJwtBearer(options =>
    {
        options.Authority = ${quoted(issuer)};
        options.Audience = ${quoted(projectId)};
        options.RequireHttpsMetadata = ${issuer.startsWith("https:")};
        options.MapInboundClaims = false;
        options.TokenValidationParameters.ValidTypes = ["at+jwt"];
    });
builder.Services.AddAuthorization();

var app = builder.Build();
app.UseAuthentication();
app.UseAuthorization();
app.MapGet("/", (HttpContext context) => $"Hello {context.User.FindFirst("sub")?.Value}").RequireAuthorization();
app.Run();
`,
    },
  ],
};

/** Returns the address with the client id, and a placeholder for the secret, as user information (RFC 3986 §3.2.1). */
const withUser = (address: string, clientId: string): string =>
  address.replace("://", `://${encodeURIComponent(clientId)}:<CLIENT_SECRET>@`);

using Duende.AspNetCore.Authentication.OAuth2Introspection;
using Duende.IdentityModel.Client;

var builder = WebApplication.CreateBuilder(args);
builder.Services
    .AddAuthentication(OAuth2IntrospectionDefaults.AuthenticationScheme)
    .AddOAuth2Introspection(options =>
    {
        options.IntrospectionEndpoint = "http://localhost:8080/oauth/v2/introspect";
        options.ClientId = "demo-client";
        options.ClientSecret = Environment.GetEnvironmentVariable("CLIENT_SECRET");
        options.ClientCredentialStyle = ClientCredentialStyle.AuthorizationHeader;
    });
builder.Services.AddAuthorization();

var app = builder.Build();
app.UseAuthentication();
app.UseAuthorization();
app.MapGet("/", (HttpContext context) => $"Hello {context.User.FindFirst("sub")?.Value}").RequireAuthorization();
app.Run("http://localhost:4005");

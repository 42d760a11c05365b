import { Component, inject } from "@angular/core";
import { bootstrapApplication } from "@angular/platform-browser";
import { provideRouter } from "@angular/router";
import { OidcSecurityService, provideAuth, withAppInitializerAuthCheck } from "angular-auth-oidc-client";

@Component({
  selector: "app-root",
  template: `
    @if (auth.authenticated().isAuthenticated) {
      <button (click)="signOut()">Sign out {{ auth.userData().userData?.name }}</button>
    } @else {
      <button (click)="auth.authorize()">Sign in</button>
    }
  `,
})
class App {
  readonly auth = inject(OidcSecurityService);

  signOut() {
    this.auth.logoff().subscribe();
  }
}

const config = {
  authority: "http://localhost:8080",
  clientId: "demo-client",
  redirectUrl: "http://localhost:4200/callback",
  postLogoutRedirectUri: "http://localhost:4200/",
  scope: "openid profile email",
  responseType: "code",
};
bootstrapApplication(App, {
  providers: [provideRouter([{ path: "**", children: [] }]), provideAuth({ config }, withAppInitializerAuthCheck())],
});

// Package: https://github.com/openid/AppAuth-iOS. Add the URL scheme com.example.demo to the target (Info, URL Types).
import AppAuth
import SwiftUI

@MainActor
final class SignIn: ObservableObject {
    @Published var state: OIDAuthState?
    @Published var problem: String?
    private var session: OIDExternalUserAgentSession?

    func start() {
        guard let issuer = URL(string: "http://localhost:8080"),
              let redirect = URL(string: "com.example.demo:/callback"),
              let scene = UIApplication.shared.connectedScenes.first as? UIWindowScene,
              let controller = scene.keyWindow?.rootViewController else { return }
        OIDAuthorizationService.discoverConfiguration(forIssuer: issuer) { configuration, error in
            guard let configuration else {
                self.problem = error?.localizedDescription
                return
            }
            // The library adds state, nonce and PKCE.
            let request = OIDAuthorizationRequest(
                configuration: configuration,
                clientId: "demo-client",
                scopes: [OIDScopeOpenID, OIDScopeProfile, OIDScopeEmail, "offline_access"],
                redirectURL: redirect,
                responseType: OIDResponseTypeCode,
                additionalParameters: nil
            )
            self.session = OIDAuthState.authState(byPresenting: request, presenting: controller) { state, error in
                self.state = state
                self.problem = error?.localizedDescription
            }
        }
    }
}

@main
struct DemoApp: App {
    @StateObject private var signIn = SignIn()

    var body: some Scene {
        WindowGroup {
            VStack {
                if let problem = signIn.problem { Text(problem) }
                if signIn.state?.isAuthorized == true {
                    Text("Signed in")
                } else {
                    Button("Sign in", action: signIn.start)
                }
            }
        }
    }
}

// Add these lines to the file that Android Studio made.
android {
    defaultConfig {
        applicationId = "com.example.demo"
        manifestPlaceholders["appAuthRedirectScheme"] = "com.example.demo"
    }
}

dependencies {
    implementation("net.openid:appauth:0.11.1")
}

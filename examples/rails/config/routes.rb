Rails.application.routes.draw do
  root "sessions#show"
  get "/auth/identity/callback", to: "sessions#create"
  get "/auth/failure", to: "sessions#failure"
end
